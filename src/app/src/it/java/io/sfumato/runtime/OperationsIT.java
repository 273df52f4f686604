// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.doctor.Doctor;
import io.sfumato.doctor.Finding;
import io.sfumato.doctor.Finding.Severity;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.Registry;
import io.sfumato.mechanism.Histogram;
import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.BrokenPlan;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an operator meets: everything says what to do, and nothing is lost or charged twice. */
@ExtendWith(SharedBroker.class)
class OperationsIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start(TestCluster shared) {
    cluster = shared;
  }

  private static Plan plan(String name) throws Exception {
    return TestCluster.plan(HistogramFile.lifetime(name, 3));
  }

  private static PipelineRun run(Plan plan, Path state, Time clock) throws RefusedException {
    Map<String, String> impatient =
        Map.of("request.timeout.ms", "5000", "producer.delivery.timeout.ms", "10000");
    return new Instances(cluster, folder, 1, impatient).start(plan, state, clock);
  }

  private static PipelineRun run(Plan plan) throws RefusedException {
    return run(plan, folder.resolve(plan.pipeline().name()), Time.SYSTEM);
  }

  /** A record of each subject in a window, and the tick that closes it. */
  private static void window(Plan plan, int window, String... subjects) throws Exception {
    String topic = plan.pipeline().input().topics().names().get(0);
    try (var producer = cluster.producer()) {
      for (String subject : subjects) {
        long time = BASE + window * 10_000L;
        producer.send(
            TestCluster.event(topic, 0, BASE, subject, time, subject.equals("bad") ? "b" : "a"));
      }
      producer.send(
          TestCluster.tick(
              plan.pipeline().budget().name(), topic, 0, BASE, BASE + (window + 1) * 10_000L));
    }
  }

  /** A run that has ended releases nothing more: nobody waits for it. */
  private static void awaitReleases(PipelineRun run, int count) {
    String topic = run.plan().releases().get(0).spec().topic();
    await()
        .atMost(TestCluster.PATIENCE)
        .failFast("the run goes on", () -> assertThat(run.failure()).isEmpty())
        .untilAsserted(() -> assertThat(cluster.count(topic)).isEqualTo(count));
  }

  @Test
  void shouldWaitForAClusterThatIsNotUpYetAndGiveUpInTheEnd() throws Exception {
    int port = EmbeddedBroker.freePort();
    KafkaSettings settings = TestCluster.settings("127.0.0.1:" + port, Map.of());
    List<String> said = new ArrayList<>();
    assertThatThrownBy(() -> Cluster.await(settings, Duration.ofSeconds(3), said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no Kafka cluster answers at 127.0.0.1:" + port)
        .extracting(e -> ((RefusedException) e).code())
        .isEqualTo(ExitCode.REFUSED_CLUSTER);
    assertThat(said).isNotEmpty().allMatch(line -> line.matches(".*; waiting, [0-9] of 3 s"));
    CompletableFuture<Cluster> later =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Cluster.await(settings, TestCluster.PATIENCE, message -> {});
              } catch (RefusedException e) {
                throw new IllegalStateException(e.getMessage());
              }
            });
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("late"), port);
        Cluster found = later.get()) {
      assertThat(found.topics().isThere("nothing")).isFalse();
      assertThat(broker.bootstrapServers()).endsWith(Integer.toString(port));
    }
    KafkaSettings wrong = TestCluster.settings("127.0.0.1:99999", Map.of());
    assertThatThrownBy(() -> Cluster.await(wrong, TestCluster.PATIENCE, said::add))
        .as("waiting would not help")
        .hasMessageContaining("cannot use the settings");
  }

  @Test
  void shouldStopWhenAnOutputTopicIsDeletedAndGoOnWhereItStopped() throws Exception {
    Plan plan = plan("deleted");
    cluster.createTopic("deleted-in", 1);
    try (PipelineRun run = run(plan)) {
      window(plan, 0, "ann");
      awaitReleases(run, 1);
      cluster.deleteTopics(List.of("deleted-mix"));
      window(plan, 1, "ann");
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(run.failure().orElseThrow())
          .hasMessageContaining("topics that outputs go to were deleted: [deleted-mix]");
    }
    try (PipelineRun run = run(plan)) {
      awaitReleases(run, 1);
      assertThat(run.failure()).isEmpty();
    }
    assertThat(
            Outputs.decodeRelease(cluster.committed("deleted-mix").get(0).value()).getWindowStart())
        .isEqualTo(Instant.ofEpochMilli(BASE + 10_000));
  }

  @Test
  void shouldRebuildDamagedLocalStateFromTheChangelogs() throws Exception {
    Plan plan = plan("damaged");
    cluster.createTopic("damaged-in", 1);
    try (PipelineRun run = run(plan)) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      window(plan, 0, "ann");
      window(plan, 1, "ann");
      awaitReleases(run, 2);
    }
    int damaged = 0;
    try (Stream<Path> files = Files.walk(folder.resolve("damaged"))) {
      for (Path file : files.filter(f -> f.toString().matches(".*(sst|MANIFEST-\\d+)$")).toList()) {
        Files.write(file, new byte[(int) Files.size(file)], StandardOpenOption.WRITE);
        damaged++;
      }
    }
    assertThat(damaged).isPositive();
    try (PipelineRun run = run(plan)) {
      window(plan, 2, "ann");
      window(plan, 3, "ann");
      awaitReleases(run, 3);
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.count("damaged-refusals") == 1);
      assertThat(run.failure()).isEmpty();
    }
  }

  @Test
  void shouldStopOnAFullDiskAndGoOnWhenThereIsSpace() throws Exception {
    Path disk = Files.createDirectories(folder.resolve("disk"));
    boolean mounted =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk.toString())
                .start()
                .waitFor()
            == 0;
    assumeThat(mounted).as("skipped: a small disk can only be mounted by root").isTrue();
    try {
      Plan plan = plan("full");
      cluster.createTopic("full-in", 1);
      Path filler = disk.resolve("filler");
      fill(filler);
      try (PipelineRun run = run(plan, disk.resolve("state"), Time.SYSTEM)) {
        window(plan, 0, "ann");
        assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
        assertThat(run.failure().orElseThrow())
            .hasMessageContaining("the disk of " + disk.resolve("state") + " is full");
      }
      Files.delete(filler);
      try (PipelineRun run = run(plan, disk.resolve("state"), Time.SYSTEM)) {
        awaitReleases(run, 1);
        assertThat(run.failure()).isEmpty();
      }
    } finally {
      new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
    }
  }

  private static void fill(Path file) throws IOException {
    Files.createDirectories(file.resolveSibling("state"));
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  /** The wall clock is set back an hour while windows close: nothing waits for that hour. */
  @Test
  void shouldGoOnWhenTheWallClockIsSetBack() throws Exception {
    AtomicLong back = new AtomicLong();
    Time stepping =
        new Time() {
          @Override
          public long milliseconds() {
            return Time.SYSTEM.milliseconds() - back.get();
          }

          @Override
          public long nanoseconds() {
            return Time.SYSTEM.nanoseconds();
          }

          @Override
          public void sleep(long millis) {
            Time.SYSTEM.sleep(millis);
          }

          @Override
          public void waitObject(Object object, Supplier<Boolean> condition, long deadline)
              throws InterruptedException {
            Time.SYSTEM.waitObject(object, condition, deadline + back.get());
          }
        };
    Plan plan = plan("clock");
    cluster.createTopic("clock-in", 1);
    // More subjects than one slice closes: the rest waits for punctuations.
    String[] subjects =
        Stream.iterate(0, i -> i + 1).limit(5_000).map(i -> "s" + i).toArray(String[]::new);
    try (PipelineRun run = run(plan, folder.resolve("clock"), stepping)) {
      window(plan, 0, "ann");
      awaitReleases(run, 1);
      back.set(Duration.ofHours(1).toMillis());
      window(plan, 1, subjects);
      awaitReleases(run, 5_001);
      assertThat(run.failure()).isEmpty();
    }
  }

  /** What would lose a charge or show a secret is found, each with its fix; nothing is changed. */
  @Test
  void shouldFindWhatCouldLoseAChargeBeforeProduction() throws Exception {
    Plan plan = plan("checked");
    cluster.createTopic("checked-in", 2);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    String changelog = "sfumato-checked-ledger-store-changelog";
    try (Admin admin = cluster.client()) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic(changelog, 3, (short) 1)
                  .configs(
                      Map.of("cleanup.policy", "compact,delete", "delete.retention.ms", "1"))));
    }
    Path key = folder.resolve("open.key");
    NoiseSecret.random().write(key.toAbsolutePath());
    Doctor.Machine machine = new Doctor.Machine(Optional.of(key), Map.of(), folder.resolve("data"));
    Doctor doctor = new Doctor(plan, settings);
    assertThat(doctor.examine(machine))
        .anySatisfy(found -> assertFinding(found, Severity.OK, "noise secret", "for this user"));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    List<Finding> findings = doctor.examine(machine);
    assertThat(findings)
        .anySatisfy(found -> assertFinding(found, Severity.PROBLEM, "brokers", "1 broker"))
        .anySatisfy(
            found ->
                assertFinding(
                    found,
                    Severity.PROBLEM,
                    "broker 1: transaction.state.log.min.isr",
                    "losing the transaction log loses commits"))
        .anySatisfy(
            found -> assertFinding(found, Severity.PROBLEM, changelog, "gives back spent budget"))
        .anySatisfy(
            found -> assertFinding(found, Severity.PROBLEM, changelog, "may miss deletions"))
        .anySatisfy(
            found -> assertFinding(found, Severity.PROBLEM, changelog, "3 partitions, it needs 2"))
        .anySatisfy(found -> assertFinding(found, Severity.PROBLEM, "ACLs", "no authorizer"))
        .anySatisfy(
            found -> assertFinding(found, Severity.PROBLEM, "noise secret", "cannot be used"));
    assertThat(findings)
        .filteredOn(found -> found.severity() != Severity.OK)
        .allSatisfy(found -> assertThat(found.fix()).isNotBlank());
  }

  /** Whoever holds a transaction open hides a seal behind it, and nothing from the doctor. */
  @Test
  void shouldFindATransactionThatIsHeldAndEverythingElse() throws Exception {
    Plan plan = plan("held");
    cluster.createTopic("held-in", 1);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    String registry = Registry.topicOf("held");
    try (Cluster admin = new Cluster(settings)) {
      new Registry(settings, "held", Optional.empty()).create(admin);
      admin.topics().createLog("held-registry");
    }
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", "somebody");
    config.put("transaction.timeout.ms", 600_000);
    Doctor doctor = new Doctor(plan, settings);
    try (KafkaProducer<byte[], byte[]> somebody =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      somebody.initTransactions();
      somebody.beginTransaction();
      for (String topic : List.of(registry, "held-registry", "held-in")) {
        somebody.send(new ProducerRecord<>(topic, 0, new byte[1], new byte[1])).get();
      }
      List<Finding> findings = doctor.examineCluster();
      for (String topic : List.of(registry, "held-registry")) {
        assertThat(findings)
            .anySatisfy(
                found -> assertFinding(found, Severity.PROBLEM, topic, "transaction stays open"));
      }
      assertThat(findings)
          .anySatisfy(
              found -> assertFinding(found, Severity.WARNING, "held-in", "transaction stays open"))
          .filteredOn(found -> found.found().contains("transaction stays open"))
          .hasSize(3)
          .allMatch(found -> found.fix().contains("describe-producers --topic " + found.subject()));
      assertThat(findings)
          .as("the rest is looked at")
          .anySatisfy(found -> assertFinding(found, Severity.PROBLEM, "brokers", "1 broker"))
          .anySatisfy(found -> assertFinding(found, Severity.PROBLEM, "ACLs", "no authorizer"))
          .anySatisfy(
              found ->
                  assertFinding(
                      found,
                      Severity.WARNING,
                      "budget held",
                      "not checked (seal and noise key): a transaction is open"))
          .noneMatch(
              found -> found.subject().equals("budget held") && found.severity() == Severity.OK);
      somebody.abortTransaction();
    }
    assertThat(doctor.examineCluster())
        .noneMatch(found -> found.found().contains("transaction stays open"))
        .anySatisfy(found -> assertFinding(found, Severity.OK, "budget held", "has a ledger"));
  }

  private static void assertFinding(
      Finding finding, Severity severity, String subject, String found) {
    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.subject()).isEqualTo(subject);
    assertThat(finding.found()).contains(found);
  }

  /** A defect in one release: its partition waits until an operator skips it, and goes on. */
  @Test
  void shouldWaitInFrontOfAReleaseThatFailsUntilItIsSkipped() throws Exception {
    Plan plan = BrokenPlan.failingOn(plan("broken"), new Histogram(0, 1));
    cluster.createTopic("broken-in", 1);
    Deployment deployment = TestCluster.deployment(plan, 1, PipelineMeters.none());
    try (PipelineRun run = new Instances(cluster, folder).start(plan, deployment, "broken")) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      window(plan, 0, "ann", "bad", "zoe");
      String tag =
          await()
              .atMost(TestCluster.PATIENCE)
              .until(() -> deployment.holds().first(), Optional::isPresent)
              .orElseThrow();
      window(plan, 1, "ann");
      try (var producer = cluster.producer()) {
        ControlEntry skip =
            ControlEntry.newBuilder()
                .setCommand(ControlCommand.SKIP)
                .setBudget("broken")
                .setRelease(tag)
                .build();
        producer.send(new ProducerRecord<>("broken-control", Outputs.encode(skip)));
      }
      awaitReleases(run, 3);
      assertThat(run.failure()).isEmpty();
    }
    assertThat(cluster.committed("broken-refusals"))
        .singleElement()
        .satisfies(
            record ->
                assertThat(Outputs.decodeRefusal(record.value()).getCode().name())
                    .isEqualTo("OPERATOR_SKIPPED"));
  }
}
