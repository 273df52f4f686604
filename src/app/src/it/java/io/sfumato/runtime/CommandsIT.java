// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Subjects are forgotten, enrolled and removed while a window is released, and transactions are
 * aborted meanwhile. Another instance that reads the same journal without a disturbance releases
 * the same bytes and keeps the same rows.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class CommandsIT {
  /** How many times as many subjects as in every build. */
  private static final int SIZE = Integer.getInteger("sfumato.faults.size", 1);

  private static final int PARTITIONS = 2;
  private static final int SUBJECTS = 1_500 * SIZE;

  /** Subjects that are enrolled behind all others, so that each partition has one. */
  private static final int LAST = 10;

  private static final int COMMANDS = 60;
  private static final int WINDOWS = 4;

  /** On a busy machine commands may come late: then there are as many windows as it takes. */
  private static final int MOST_WINDOWS = 40;

  private static final int ABORTS = 6;
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  private static final String JOURNAL = "sfumato-commands-journal-repartition";

  private static final String YAML =
      """
      pipeline: commands
      input: { topic: commands-in, subject: who, time: at, category: what, categories: [a, b, c, d], values: [x] }
      subjects: roster
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      budget: { name: commands, unit: record, epsilon: 30, delta: 4e-6 }
      releases:
        - histogram: { name: commands-mix, share: { epsilon: 8, delta: 1e-6 }, windows: 50 }
        - histogram: { name: commands-laplace, method: laplace, share: { epsilon: 8, delta: 1e-6 }, windows: 50 }
        - mean: { name: commands-mean, value: x, bounds: [0, 8], running: forever, share: { epsilon: 8, delta: 1e-6 }, windows: 50 }
      """;

  @TempDir Path folder;
  private final Random random = new Random(20261128);

  @Test
  void shouldReleaseTheSameWhenCommandsComeInTheMiddleOfAWindow(TestCluster shared)
      throws Exception {
    Plan plan = TestCluster.plan(YAML);
    shared.createTopic("commands-in", PARTITIONS);
    Instances instances =
        new Instances(
            shared,
            folder,
            PARTITIONS,
            // The journal is read again at the end.
            Map.of("repartition.purge.interval.ms", "3600000", "commit.interval.ms", "10"));
    TestCluster.prepare(instances.settings(), plan);
    int middle = 0;
    int windows = 0;
    try (KafkaProducer<byte[], byte[]> producer = shared.producer();
        Admin admin = shared.client()) {
      for (int subject = 0; subject < SUBJECTS; subject++) {
        send(producer, ControlCommand.ENROL, "s" + subject, BASE);
      }
      for (int last = 0; last < LAST; last++) {
        send(producer, ControlCommand.ENROL, "~" + last, BASE);
      }
      try (PipelineRun run =
          PipelineRun.start(
              plan,
              TestCluster.deployment(plan, PARTITIONS, PipelineMeters.none()),
              new PipelineRun.Instance(instances.settings(), folder.resolve("state"), 1, 0),
              new ReplayApp.AbortingClients(Set.of("commands-mix", "commands-mean"), ABORTS),
              Time.SYSTEM)) {
        awaitEnrolled(shared, plan);
        for (; windows < WINDOWS || middle == 0 && windows < MOST_WINDOWS; windows++) {
          int window = windows;
          long before = end(admin);
          window(producer, window);
          await()
              .pollInterval(Duration.ofMillis(2))
              .atMost(TestCluster.PATIENCE)
              .until(() -> end(admin) > before);
          int entries = shared.count(JOURNAL);
          commands(producer, window);
          await()
              .pollInterval(Duration.ofMillis(10))
              .atMost(TestCluster.PATIENCE)
              .until(() -> shared.count(JOURNAL) >= entries + COMMANDS);
          int released = shared.count("commands-mix") - SUBJECTS * window;
          middle += released < SUBJECTS * 3 / 4 ? 1 : 0;
          System.out.printf(
              "window %d: %d released when its commands are read%n", window, released);
          shared.awaitCount("commands-mean", SUBJECTS * (window + 1) * 9 / 10);
        }
        window(producer, windows);
        awaitTheEnd(shared, plan, windows + 1);
        assertThat(run.failure()).isEmpty();
      }
    }
    assertThat(middle).as("commands that came in the middle of a window").isPositive();
    try (TestCluster calm = new TestCluster(folder.resolve("calm"))) {
      Instances undisturbed =
          new Instances(calm, folder.resolve("calm-state")).withPartitions(PARTITIONS);
      new Undisturbed(undisturbed).assertSameFromJournal(shared, plan);
      for (String store : List.of(Names.DATASET_STORE, Names.SUBJECT_STORE, Names.RUNNING_STORE)) {
        assertThat(Undisturbed.rows(shared, plan, store))
            .as(store)
            .isEqualTo(Undisturbed.rows(calm, plan, store));
      }
    }
  }

  private static void awaitEnrolled(TestCluster cluster, Plan plan) {
    await()
        .atMost(TestCluster.PATIENCE)
        .ignoreExceptions()
        .until(
            () -> Undisturbed.rows(cluster, plan, Names.SUBJECT_STORE).size() >= SUBJECTS + LAST);
  }

  /** Those who come last in their partitions are released, and no dataset is left. */
  private static void awaitTheEnd(TestCluster cluster, Plan plan, int windows) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(
            () ->
                cluster.committed("commands-mean").stream().filter(CommandsIT::isOfTheLast).count()
                        >= (long) LAST * windows
                    && Undisturbed.rows(cluster, plan, Names.DATASET_STORE).isEmpty());
  }

  private static boolean isOfTheLast(ConsumerRecord<byte[], byte[]> release) {
    return release.key()[0] == '~';
  }

  private void window(KafkaProducer<byte[], byte[]> producer, int window) {
    for (int subject = 0; subject < SUBJECTS; subject++) {
      producer.send(
          new ProducerRecord<>(
              "commands-in",
              random.nextInt(PARTITIONS),
              BASE + window,
              null,
              "{\"who\":\"s%d\",\"at\":%d,\"what\":\"%s\",\"x\":%d}"
                  .formatted(
                      subject,
                      BASE + window * 10_000L + 1,
                      "abcd".substring(random.nextInt(4)).substring(0, 1),
                      random.nextInt(9))
                  .getBytes(StandardCharsets.UTF_8)));
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      producer.send(
          TestCluster.tick(
              "commands", "commands-in", partition, BASE + window, BASE + (window + 1) * 10_000L));
    }
  }

  /** About subjects that are released already, and others that are not. */
  private void commands(KafkaProducer<byte[], byte[]> producer, int window) {
    for (int i = 0; i < COMMANDS; i++) {
      String subject = "s" + random.nextInt(SUBJECTS);
      switch (i % 4) {
        case 0, 1 -> send(producer, ControlCommand.FORGET, subject, BASE);
        case 2 -> send(producer, ControlCommand.LEAVE, subject, BASE + (window + 1) * 10_000L);
        default ->
            send(
                producer,
                ControlCommand.ENROL,
                random.nextBoolean() ? subject : "new" + window + "-" + i,
                BASE + random.nextInt(window + 2) * 10_000L);
      }
    }
    producer.flush();
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, ControlCommand command, String subject, long from) {
    ControlEntry.Builder entry =
        ControlEntry.newBuilder().setCommand(command).setBudget("commands").setSubject(subject);
    if (command != ControlCommand.FORGET) {
      entry.setFrom(Instant.ofEpochMilli(from));
    }
    producer.send(new ProducerRecord<>("commands-control", Outputs.encode(entry.build())));
  }

  private static long end(Admin admin) throws Exception {
    return admin
        .listOffsets(Map.of(new TopicPartition("commands-mix", 0), OffsetSpec.latest()))
        .all()
        .get()
        .values()
        .iterator()
        .next()
        .offset();
  }
}
