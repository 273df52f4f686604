// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineMeters;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;

/**
 * An instance of a pipeline in a process of its own, to be stopped where it does most harm. It says
 * {@link #STANDS} and waits there for a file; whoever stops the process (a signal) also ends its
 * heartbeats.
 */
public final class StallingApp {
  static final String STANDS = "STANDS";
  static final String COMMITTED = "COMMITTED";
  static final String FENCED = "FENCED";
  private static final long NEVER = 0;

  private StallingApp() {}

  /** Where it stands. */
  enum Place {
    /** It has drawn, and nothing of it has left the process. */
    DRAW,
    /** All but the last word of its transaction is said. */
    COMMIT,
    /** All is committed; it asks for what comes next before it hears that it is missed. */
    POLL
  }

  /**
   * Arguments: bootstrap servers, pipeline file, state folder, partitions, with which release to
   * stand still (0 for none), file to wait for, where.
   */
  public static void main(String[] arguments) throws Exception {
    Plan plan = TestCluster.plan(Files.readString(Path.of(arguments[1])));
    KafkaSettings settings =
        TestCluster.settings(
            arguments[0],
            Map.of(
                "session.timeout.ms", "6000",
                "commit.interval.ms", "10",
                // What others have read is soon gone for whoever stood still.
                "repartition.purge.interval.ms", "500"));
    TestCluster.prepare(settings, plan);
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, Integer.parseInt(arguments[3]), PipelineMeters.none()),
            new PipelineRun.Instance(settings, Path.of(arguments[2]), 1, 0),
            new StallingClients(
                plan.releases().get(0).spec().topic(),
                Long.parseLong(arguments[4]),
                Path.of(arguments[5]),
                Place.valueOf(arguments[6])),
            Time.SYSTEM)) {
      run.awaitEnd(Duration.ofMinutes(10));
      run.failure().ifPresent(failure -> System.err.println(failure.getMessage()));
    }
  }

  private static final class StallingClients extends FencingClients {
    private final String output;
    private final Path file;
    private final Place place;
    private long left;
    private boolean due;
    private boolean committed;
    private boolean stalled;

    StallingClients(String output, long number, Path file, Place place) {
      this.output = output;
      this.left = number;
      this.file = file;
      this.place = place;
    }

    /** Stands still here, if this is the place. */
    private void passes(Place here) {
      if (due && here == place) {
        due = false;
        committed = false;
        stalled = true;
        System.out.println(STANDS);
        while (!Files.exists(file)) {
          LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
      }
    }

    @Override
    @SuppressWarnings("unchecked")
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
      Consumer<byte[], byte[]> consumer = super.getConsumer(config);
      return (Consumer<byte[], byte[]>)
          Proxy.newProxyInstance(
              StallingApp.class.getClassLoader(),
              new Class<?>[] {Consumer.class},
              (proxy, method, arguments) -> {
                try {
                  return method.getName().equals("poll") && committed && place == Place.POLL
                      ? poll(consumer, (Duration) arguments[0])
                      : method.invoke(consumer, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    /**
     * Stands still, and asks for records as if nothing had happened. A member's heartbeats need its
     * coordinator's lock: who holds it hears nothing of what became of the group.
     *
     * @throws OffsetOutOfRangeException as {@link Consumer#poll} does
     */
    private ConsumerRecords<byte[], byte[]> poll(
        Consumer<byte[], byte[]> consumer, Duration timeout) throws ReflectiveOperationException {
      Object delegate = field(KafkaConsumer.class, consumer, "delegate");
      Object coordinator = field(delegate.getClass(), delegate, "coordinator");
      synchronized (coordinator) {
        passes(Place.POLL);
        while (true) {
          // Until it finds that its place is gone; what it reads before that dies with it.
          consumer.poll(timeout);
        }
      }
    }

    private static Object field(Class<?> type, Object owner, String name)
        throws ReflectiveOperationException {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
      return new FencedProducer(config, member(config), transactions()) {
        @Override
        public Future<RecordMetadata> send(
            ProducerRecord<byte[], byte[]> record, Callback callback) {
          if (left != NEVER && record.topic().equals(output) && --left == NEVER) {
            due = true;
            passes(Place.DRAW);
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
          passes(Place.COMMIT);
          super.commitTransaction();
          committed = due;
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
