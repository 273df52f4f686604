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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
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

  /** One in six breaks a transaction: all of so many in a row once in 46,656 runs. */
  private static final int CLUSTERS = 6;

  /** Every call fails within five seconds, and no task retries it. */
  private static final Map<String, String> IMPATIENT =
      Map.of(
          "task.timeout.ms", "0",
          "default.api.timeout.ms", "5000",
          "request.timeout.ms", "2000",
          "producer.delivery.timeout.ms", "5000",
          "producer.max.block.ms", "5000");

  @TempDir Path folder;

  /**
   * The broker stops while a window is released, and starts again when there is room. Now and then
   * such a broker breaks a transaction in two: its coordinator has committed it, and wrote its
   * marker into some partitions only. The pipeline then waits, as it should. Only a cluster that
   * kept its transactions shows whether the pipeline goes on.
   */
  @Test
  void shouldReleaseTheSameWhenTheClusterIsBack(TestCluster shared) throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.lifetime("gone", 4));
    Instances calm = new Instances(shared, folder.resolve("calm"));
    List<Map<String, List<String>>> broken = new ArrayList<>();
    boolean isKept = false;
    while (!isKept) {
      assertThat(broken).as("clusters that broke a transaction").hasSizeLessThan(CLUSTERS);
      Path place = folder.resolve("cluster-" + broken.size());
      ForkedCluster brokers = ForkedCluster.start(place, 1, ForkArchive.here());
      try (brokers;
          TestCluster cluster = new TestCluster(brokers)) {
        isKept = goesOn(plan, brokers, cluster, place.resolve("state"));
        if (isKept) {
          new Undisturbed(calm).assertSameFromRecords(cluster, plan);
        } else {
          broken.add(Undisturbed.outputs(cluster, plan));
        }
      }
    }
    Map<String, List<String>> undisturbed = Undisturbed.outputs(shared, plan);
    for (Map<String, List<String>> outputs : broken) {
      outputs.remove(plan.pipeline().releasedTopic()); // its newest marker is an older one
      outputs.forEach(
          (topic, lines) ->
              assertThat(lines)
                  .as("published by a pipeline that waits, in " + topic)
                  .doesNotHaveDuplicates()
                  .isSubsetOf(undisturbed.get(topic)));
    }
  }

  /**
   * Stops the broker while a window is released, and starts it again.
   *
   * @return whether the pipeline releases everything; otherwise a transaction hangs, and it waits
   */
  private static boolean goesOn(Plan plan, ForkedCluster brokers, TestCluster cluster, Path state)
      throws Exception {
    cluster.createTopic("gone-in", 1);
    Instances instances = new Instances(cluster, state, 1, IMPATIENT);
    try (PipelineRun run = instances.startIfAllowed(plan, "gone")) {
      send(cluster, 0);
      send(cluster, 1);
      cluster.awaitCount("gone-mix", 1, run);
      Processes.letFilesGrowNoMore(brokers.process(0));
      brokers.process(0).onExit().join();
      AtomicBoolean closing = new AtomicBoolean();
      CompletableFuture<Boolean> thread =
          CompletableFuture.supplyAsync(
              () -> mayGoOn(plan, instances, new TimeoutException("no answer"), closing));
      brokers.restart(0);
      brokers.awaitAll();
      await(run, () -> thread.isDone() || isBroken(cluster, plan));
      if (thread.isDone()) {
        assertThat(thread.get()).isTrue();
      }
      closing.set(true); // it asks for ever, where offsets hang
      send(cluster, 2);
      await(run, () -> cluster.count("gone-mix") >= 2 * SUBJECTS || isBroken(cluster, plan));
      assertThat(run.failure()).isEmpty();
      boolean isKept = !isBroken(cluster, plan);
      if (!isKept) {
        assertThat(run.awaitEnd(Duration.ZERO)).isFalse();
        assertThat(run.state().isRunningOrRebalancing()).isTrue();
      }
      return isKept;
    }
  }

  private static void await(PipelineRun run, Callable<Boolean> condition) {
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .failFast("the run has ended by itself", () -> run.awaitEnd(Duration.ZERO))
        .until(condition);
  }

  /** Whether a coordinator has ended a transaction that is open in one of its partitions. */
  private static boolean isBroken(TestCluster cluster, Plan plan) throws RefusedException {
    try (Cluster admin = new Cluster(TestCluster.settings(cluster.servers(), Map.of()))) {
      Set<String> topics = new HashSet<>(OwnTopics.names(plan.pipeline()));
      topics.retainAll(admin.topics().names());
      topics.add("__consumer_offsets");
      Set<TopicPartition> all = new HashSet<>(admin.offsets().partitionsOf(List.copyOf(topics)));
      return admin
          .hanging(plan.pipeline())
          .among(all, HangingTransactions.LONGEST)
          .hanging()
          .stream()
          .anyMatch(one -> one.coordinated().isPresent());
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
              () ->
                  mayGoOn(
                      plan,
                      instances,
                      new InvalidTxnStateException("no transaction"),
                      new AtomicBoolean()));
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
  private static boolean mayGoOn(
      Plan plan, Instances instances, ApiException failure, AtomicBoolean closing) {
    try {
      return new ThreadFailures(
              plan.pipeline(), instances.settings(), new HeldReleases(), () -> false, closing::get)
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
