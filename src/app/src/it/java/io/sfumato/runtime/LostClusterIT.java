// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.HeldReleases;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline waits for a cluster that is gone, whatever timeouts its clients have: its broker was
 * killed, or stopped because its disk was full.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class LostClusterIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final int SUBJECTS = 400;

  /** Every call fails within five seconds, and no task retries it. */
  private static final Map<String, String> IMPATIENT =
      Map.of(
          "task.timeout.ms", "0",
          "default.api.timeout.ms", "5000",
          "request.timeout.ms", "2000",
          "producer.delivery.timeout.ms", "5000",
          "producer.max.block.ms", "5000");

  @TempDir Path folder;

  /** The broker stops while a window is released, and starts again when there is room. */
  @Test
  void shouldReleaseTheSameWhenTheClusterIsBack(TestCluster shared) throws Exception {
    ForkedCluster brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    try (brokers;
        TestCluster cluster = new TestCluster(brokers)) {
      cluster.createTopic("gone-in", 1);
      Plan plan = TestCluster.plan(HistogramFile.lifetime("gone", 4));
      Instances instances = new Instances(cluster, folder.resolve("state"), 1, IMPATIENT);
      try (PipelineRun run = instances.startIfAllowed(plan, "gone")) {
        send(cluster, 0);
        send(cluster, 1);
        cluster.awaitCount("gone-mix", 1, run);
        Processes.letFilesGrowNoMore(brokers.process(0));
        brokers.process(0).onExit().join();
        CompletableFuture<Boolean> thread =
            CompletableFuture.supplyAsync(
                () -> mayGoOn(plan, instances, new TimeoutException("no answer")));
        brokers.restart(0);
        brokers.awaitAll();
        assertThat(thread.get(TestCluster.PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
        send(cluster, 2);
        cluster.awaitCount("gone-mix", 2 * SUBJECTS, run);
        assertThat(run.failure()).isEmpty();
      }
      new Undisturbed(new Instances(shared, folder.resolve("calm")))
          .assertSameFromRecords(cluster, plan);
    }
  }

  /** A producer that was told to abort is asked to begin, as Kafka Streams does. */
  @Test
  void shouldBeginATransactionWhenTheClusterIsBackThoughItDidNotHearOfTheAbort() throws Exception {
    ForkedCluster brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    try (brokers;
        TestCluster cluster = new TestCluster(brokers)) {
      cluster.createTopic("unheard", 1);
      Map<String, Object> config = TestCluster.settings(cluster.servers(), IMPATIENT).producer();
      config.put("transactional.id", "unheard");
      try (FencedProducer producer = new FencedProducer(config, () -> null, new Transactions())) {
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .ignoreExceptionsInstanceOf(TimeoutException.class)
            .until(
                () -> {
                  producer.initTransactions();
                  return true;
                });
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("unheard", new byte[1])).get();
        brokers.kill(0);
        assertThatThrownBy(producer::abortTransaction).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(producer::beginTransaction).isInstanceOf(TimeoutException.class);
        brokers.restart(0);
        brokers.awaitAll();
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .ignoreExceptionsInstanceOf(TimeoutException.class)
            .until(
                () -> {
                  producer.beginTransaction();
                  return true;
                });
        producer.send(new ProducerRecord<>("unheard", new byte[2])).get();
        producer.commitTransaction();
        assertThat(cluster.count("unheard")).as("what was aborted does not count").isEqualTo(1);
      }
    }
  }

  /**
   * A batch is on its way when the cluster stops answering. When it answers again, the producer has
   * given the batch up, and says so with an error that has neither kind nor cause.
   */
  @Test
  void shouldKnowThatATransactionIsLostWhoseBatchWasNeverAcknowledged() throws Exception {
    ForkedCluster brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    try (brokers;
        TestCluster cluster = new TestCluster(brokers)) {
      cluster.createTopic("given-up", 1);
      Map<String, Object> config = TestCluster.settings(cluster.servers(), IMPATIENT).producer();
      config.put("transactional.id", "given-up");
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("given-up", new byte[1])).get();
        Signals.stop(brokers.process(0));
        Future<?> lost = producer.send(new ProducerRecord<>("given-up", new byte[2]));
        assertThatThrownBy(lost::get).hasCauseInstanceOf(TimeoutException.class);
        Signals.resume(brokers.process(0));
        Throwable[] last = new Throwable[1];
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .until(
                () -> {
                  last[0] = catchThrowable(producer::commitTransaction);
                  return Failures.root(last[0]).getClass() == KafkaException.class;
                });
        assertThat(Failures.isTransactionLost(new StreamsException("a task", last[0]))).isTrue();
        producer.abortTransaction();
      }
    }
  }

  /** A thread whose transaction is lost asks for the offsets until the broker is back. */
  @Test
  void shouldReplaceAThreadWhenTheClusterIsGoneThatKnowsWhetherItMayGoOn() throws Exception {
    ForkedCluster brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    try (brokers;
        CapturedLog log = new CapturedLog();
        TestCluster cluster = new TestCluster(brokers)) {
      cluster.createTopic("gone-in", 1);
      Plan plan = TestCluster.plan(HistogramFile.lifetime("gone", 4));
      Instances instances = new Instances(cluster, folder.resolve("state"), 1, IMPATIENT);
      try (PipelineRun run = instances.startIfAllowed(plan, "gone")) {
        send(cluster, 0);
        send(cluster, 1);
        cluster.awaitCount("gone-mix", 1, run);
        assertThat(run.failure()).isEmpty();
      }
      brokers.kill(0);
      CompletableFuture<Boolean> thread =
          CompletableFuture.supplyAsync(
              () -> mayGoOn(plan, instances, new InvalidTxnStateException("no transaction")));
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  thread.isDone()
                      || log.lines().stream().anyMatch(line -> line.contains("asking again")));
      assertThat(thread).as("gave up while the cluster was gone").isNotDone();
      brokers.restart(0);
      brokers.awaitAll();
      assertThat(thread.get(TestCluster.PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
    }
  }

  /** What a thread asks that failed. */
  private static boolean mayGoOn(Plan plan, Instances instances, ApiException failure) {
    try {
      return new ThreadFailures(
              plan.pipeline(), instances.settings(), new HeldReleases(), () -> false, () -> false)
          .mayGoOn(new StreamsException("a task", failure));
    } catch (RefusedException e) {
      throw new IllegalStateException(e.getMessage());
    }
  }

  /** A record of each subject in a window. */
  private static void send(TestCluster cluster, int window) throws Exception {
    try (var producer = cluster.producer()) {
      for (int subject = 0; subject < SUBJECTS; subject++) {
        producer.send(
            TestCluster.event("gone-in", 0, BASE, "s" + subject, BASE + window * 10_000L, "a"));
      }
    }
  }
}
