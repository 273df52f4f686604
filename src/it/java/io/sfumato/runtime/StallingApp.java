package io.sfumato.runtime;

import io.sfumato.pipeline.Plan;
import io.sfumato.topology.PipelineMeters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;

/**
 * An instance of a pipeline in a process of its own, to be stopped where it does most harm: when it
 * has drawn, and nothing of it has left the process. It says {@link #DRAWN} and waits there for a
 * file; whoever stops the process (a signal) also ends its heartbeats.
 */
public final class StallingApp {
  static final String DRAWN = "DRAWN";
  static final String COMMITTED = "COMMITTED";
  static final String FENCED = "FENCED";
  private static final long NEVER = 0;

  private StallingApp() {}

  /**
   * Arguments: bootstrap servers, pipeline file, state folder, partitions, which release to wait in
   * front of (0 for none), file to wait for.
   */
  public static void main(String[] arguments) throws Exception {
    Plan plan = TestCluster.plan(Files.readString(Path.of(arguments[1])));
    KafkaSettings settings =
        TestCluster.settings(
            arguments[0], Map.of("session.timeout.ms", "6000", "commit.interval.ms", "10"));
    TestCluster.prepare(settings, plan);
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(Integer.parseInt(arguments[3]), PipelineMeters.none()),
            new PipelineRun.Instance(settings, Path.of(arguments[2]), 1, 0),
            new StallingClients(
                plan.releases().get(0).spec().topic(),
                Long.parseLong(arguments[4]),
                Path.of(arguments[5])),
            Time.SYSTEM)) {
      run.awaitEnd(Duration.ofMinutes(10));
      run.failure().ifPresent(failure -> System.err.println(failure.getMessage()));
    }
  }

  private static final class StallingClients extends FencingClients {
    private final String output;
    private final Path file;
    private long left;
    private boolean stalled;

    StallingClients(String output, long number, Path file) {
      this.output = output;
      this.left = number;
      this.file = file;
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
      return new FencedProducer(config, member(config), transactions()) {
        @Override
        public Future<RecordMetadata> send(
            ProducerRecord<byte[], byte[]> record, Callback callback) {
          if (left != NEVER && record.topic().equals(output) && --left == NEVER) {
            stalled = true;
            System.out.println(DRAWN);
            while (!Files.exists(file)) {
              LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
          }
          return super.send(record, callback);
        }

        @Override
        public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
          try {
            super.sendOffsetsToTransaction(offsets, group);
          } catch (CommitFailedException e) {
            told(FENCED);
            throw e;
          }
        }

        @Override
        public void commitTransaction() {
          super.commitTransaction();
          told(COMMITTED);
        }
      };
    }

    /** What became of the transaction that stalled. */
    private void told(String what) {
      if (stalled) {
        stalled = false;
        System.out.println(what);
      }
    }
  }
}
