// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.utils.Time;

/**
 * An instance of a pipeline in a process of its own, to be killed. Some of its transactions that
 * hold outputs are aborted after everything was drawn and sent, before the commit.
 */
public final class ReplayApp {
  private ReplayApp() {}

  /**
   * Arguments: bootstrap servers, pipeline file, state folder, partitions, number of aborts, number
   * of standbys.
   */
  public static void main(String[] arguments) throws Exception {
    Plan plan = TestCluster.plan(Files.readString(Path.of(arguments[1])));
    int aborts = Integer.parseInt(arguments[4]);
    KafkaSettings settings =
        TestCluster.settings(
            arguments[0],
            Map.of(
                "session.timeout.ms", "6000",
                // Small transactions where some are to be aborted, so that there are enough of
                // them; else the program's own, of which others have a tenth of the work.
                "commit.interval.ms", aborts > 0 ? "10" : "100",
                // What others have read is soon gone for whoever stood still.
                "repartition.purge.interval.ms", "500",
                "max.poll.records", "50"));
    TestCluster.prepare(settings, plan);
    short replication;
    try (Cluster cluster = new Cluster(settings)) {
      replication = cluster.topics().replication();
    }
    int partitions = Integer.parseInt(arguments[3]);
    Set<String> outputs = new HashSet<>();
    plan.pipeline().releases().forEach(release -> outputs.add(release.topic()));
    if (plan.pipeline().population().isPresent()) {
      // What users are charged for leaves their keepers here.
      outputs.addAll(Names.journalTopics(plan.pipeline()).subList(1, 2));
    }
    PipelineRun.Instance instance =
        new PipelineRun.Instance(
            settings, Path.of(arguments[2]), replication, Integer.parseInt(arguments[5]));
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, partitions, PipelineMeters.none()),
            instance,
            new AbortingClients(outputs, aborts),
            Time.SYSTEM)) {
      run.awaitEnd(Duration.ofMinutes(10));
      run.failure().ifPresent(failure -> System.err.println(failure.getMessage()));
    }
  }

  /** Producers that fail two of three commits of transactions with outputs, so many times. */
  static final class AbortingClients extends FencingClients {
    private final Set<String> outputs;
    private final AtomicInteger left;
    private final AtomicInteger seen = new AtomicInteger();

    AbortingClients(Set<String> outputs, int aborts) {
      this.outputs = outputs;
      this.left = new AtomicInteger(aborts);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
      return new FencedProducer(config, member(config), transactions()) {
        private boolean drawn;

        @Override
        public Future<RecordMetadata> send(
            ProducerRecord<byte[], byte[]> record, Callback callback) {
          drawn = drawn || outputs.contains(record.topic());
          return super.send(record, callback);
        }

        @Override
        public void commitTransaction() {
          if (drawn && left.get() > 0 && seen.incrementAndGet() % 3 != 0) {
            left.decrementAndGet();
            flush(); // so that a read_uncommitted reader sees what was drawn
            System.out.println("ABORTED");
            throw new ProducerFencedException("injected between draw and commit");
          }
          drawn = false;
          super.commitTransaction();
        }
      };
    }
  }
}
