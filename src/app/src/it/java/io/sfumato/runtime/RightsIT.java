// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.client.EventPublisher;
import io.sfumato.client.OutputReader;
import io.sfumato.doctor.Doctor;
import io.sfumato.doctor.Finding;
import io.sfumato.doctor.Rights;
import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.OrdersLog;
import io.sfumato.ledger.RegistryHandover;
import io.sfumato.ops.LifecycleLog;
import io.sfumato.ops.Operations;
import io.sfumato.ops.RunningCounts;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.release.Plan;
import io.sfumato.runtime.WitnessAuthorizer.Question;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.SourceTopics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documented rights of an application: enough of them, and none too many. */
@Tag("cluster")
class RightsIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final NoiseKey KEY = TestCluster.key();
  private static final String APP = "User:app";
  private static final HttpSettings PORT =
      new HttpSettings(HttpSettings.LOOPBACK, 0, true, Optional.empty());

  @TempDir static Path folder;
  private static SecuredBroker broker;
  private static KafkaSettings admin;
  private static KafkaSettings app;

  @BeforeAll
  static void start() throws Exception {
    broker =
        SecuredBroker.start(
            folder.resolve("broker"),
            WitnessAuthorizer.class.getName(),
            "app",
            "nobody",
            "doc",
            "audit");
    admin = settings("admin");
    app = settings("app");
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  /**
   * A start, releases, an answer, a refusal, a dead letter and a start again, by a principal that
   * may do nothing else: each right is one that the cluster was asked for, and none was asked for
   * in vain. The first budget has an account; the second one's pipeline was begun by an earlier
   * program.
   */
  @Test
  void shouldBeEnoughAndEachBeUsed() throws Exception {
    Plan shared = plan("shared", ", account: { name: people, epsilon: 5, delta: 1e-5 }");
    Plan alone = plan("alone", "");
    try (Cluster cluster = new Cluster(admin)) {
      cluster.topics().createIfMissing("alone-control", 1);
    }
    for (Plan plan : List.of(shared, alone)) {
      List<AclBinding> rules = new Rights(plan.pipeline()).rules(APP, Rights.Part.APPLICATION);
      grant(rules);
      start(plan, () -> send(plan.pipeline().name()));
      start(
          plan,
          () ->
              await()
                  .atMost(TestCluster.PATIENCE)
                  .untilAsserted(
                      () -> assertThat(unused(rules)).as("rights that nothing needs").isEmpty()));
    }
    assertThat(WitnessAuthorizer.denied())
        .filteredOn(question -> question.principal().equals(APP))
        .as("asked for in vain")
        .isEmpty();
  }

  /** Who took it for absent would be told to create it, or to begin anew. */
  @Test
  void whatMayNotBeSeenIsNotTakenForAbsent() throws Exception {
    Plan plan = plan("unseen", "");
    TestCluster.prepare(admin, plan);
    KafkaSettings stranger = settings("nobody");
    SourceTopics source = TestCluster.sources(plan, 1);
    try (Cluster cluster = new Cluster(stranger)) {
      assertThatThrownBy(
              () -> cluster.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.WAIVED))
          .hasMessageContaining("a right is missing");
      assertThatThrownBy(
              () -> Continuity.requireSuccessor(plan, stranger, cluster, source, "tag", 0))
          .hasMessageContaining("a right is missing");
      assertThatThrownBy(() -> Continuity.require(plan, stranger, cluster, source, KEY))
          .hasMessageContaining("a right is missing");
    }
  }

  /** The doctor with the rights that are printed for it misses none; an auditor reads no state. */
  @Test
  void shouldBeEnoughForTheDoctor() throws Exception {
    Plan plan = plan("looked-at", "");
    TestCluster.prepare(admin, plan);
    Rights rights = new Rights(plan.pipeline());
    String meta = Names.changelogTopic("sfumato-looked-at", LedgerImage.META);
    try (Cluster cluster = new Cluster(admin)) {
      cluster.pipelineTopics().createChangelogs(plan.pipeline(), List.of(meta), 1);
    }
    assertThat(notLookedAt(plan, "doc"))
        .contains(
            "brokers' settings: not checked: no DESCRIBE_CONFIGS on the cluster",
            "ACLs: not checked: no DESCRIBE on the cluster")
        .anyMatch(gap -> gap.startsWith("topics: not checked: no DESCRIBE on "));
    grant(rights.rules("User:doc", Rights.Part.APPLICATION));
    grant(rights.rules("User:doc", Rights.Part.DOCTOR));
    assertThat(notLookedAt(plan, "doc")).isEmpty();
    assertThat(lacking(plan, "User:doc")).isEmpty();
    assertThat(lacking(plan, "User:nobody"))
        .singleElement()
        .matches(finding -> finding.severity() == Finding.Severity.WARNING)
        .matches(finding -> finding.fix().endsWith(" --rights 'User:nobody'"));
    AclBinding output = rights.rules("User:nobody", Rights.Part.READER).get(0);
    grant(List.of(output));
    assertThat(lacking(plan, "User:nobody"))
        .hasSizeGreaterThan(5)
        .allMatch(finding -> finding.severity() == Finding.Severity.PROBLEM)
        .allMatch(
            finding -> finding.fix().contains(" --add --force --allow-principal 'User:nobody'"))
        .anyMatch(finding -> finding.subject().equals("topic " + output.pattern().name()));
    grant(rights.rules("User:audit", Rights.Part.AUDITOR));
    assertThat(notLookedAt(plan, "audit"))
        .containsExactly("budget looked-at: not checked: no READ on " + meta);
  }

  private static List<Finding> lacking(Plan plan, String who) throws RefusedException {
    return new Doctor(plan, admin, Optional.of(who))
        .examineCluster().stream()
            .filter(f -> f.found().contains(" lacks ") || f.subject().equals("rights of " + who))
            .toList();
  }

  private static List<String> notLookedAt(Plan plan, String user) throws RefusedException {
    List<Finding> findings = new Doctor(plan, settings(user)).examineCluster();
    assertThat(findings).noneMatch(finding -> finding.found().contains("does not exist"));
    return findings.stream()
        .filter(finding -> finding.found().startsWith("not checked"))
        .peek(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING))
        .map(finding -> finding.subject() + ": " + finding.found())
        .toList();
  }

  /** Something that is done while a pipeline runs. */
  @FunctionalInterface
  private interface Deed {
    void run() throws Exception;
  }

  private static void start(Plan plan, Deed meanwhile) throws Exception {
    begin(plan);
    RunningCounts counts = new RunningCounts(LifecycleLog.of(plan.pipeline().window()));
    Path state = Files.createTempDirectory(folder, "state");
    try (Operations operations = Operations.open(plan, counts, KEY.tag(), app, PORT);
        PipelineRun run =
            PipelineRun.start(
                plan,
                TestCluster.deployment(plan, 1, counts),
                new PipelineRun.Instance(app, state, 1, 0))) {
      operations.watch(run);
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      meanwhile.run();
      assertThat(run.failure()).isEmpty();
    }
  }

  private static List<AclBinding> unused(List<AclBinding> rules) {
    Set<Question> asked = WitnessAuthorizer.allowed();
    return rules.stream()
        .filter(rule -> asked.stream().noneMatch(question -> covers(rule, question)))
        .toList();
  }

  /** What one budget needs the other one need not need again. */
  private static String alike(String name) {
    return name.replace("shared", "alone");
  }

  private static boolean covers(AclBinding rule, Question question) {
    String name = alike(rule.pattern().name());
    String asked = alike(question.name());
    return question.principal().equals(rule.entry().principal())
        && question.operation() == rule.entry().operation()
        && question.type() == rule.pattern().resourceType()
        && (rule.pattern().patternType() == PatternType.PREFIXED
            ? asked.startsWith(name)
            : asked.equals(name));
  }

  private static Plan plan(String name, String account) throws Exception {
    try (Cluster cluster = new Cluster(admin)) {
      cluster.topics().createIfMissing(name + "-in", 1);
    }
    return TestCluster.plan(
        """
        pipeline: NAME
        input: { topic: NAME-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        subjects: roster
        budget: { name: NAME, unit: record, epsilon: 4, delta: 1e-5, period: lifetimeACCOUNT }
        releases:
          - histogram: { name: NAME-mix, share: { epsilon: 2, delta: 1e-6 }, windows: 1 }
          - abc: { name: NAME-fit, method: rejection, threshold: 0.1, share: { epsilon: 2, delta: 1e-6 }, queries: 1, candidates: 5 }
        """
            .replace("NAME", name)
            .replace("ACCOUNT", account));
  }

  private static void grant(List<AclBinding> rules) throws Exception {
    try (Admin client = Admin.create(admin.admin())) {
      client.createAcls(rules).all().get();
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> client.describeAcls(AclBindingFilter.ANY).values().get().containsAll(rules));
    }
  }

  /** The steps of a start. */
  private static void begin(Plan plan) throws RefusedException {
    try (Cluster cluster = new Cluster(app)) {
      new RegistryHandover(plan.pipeline(), app, cluster, KEY).open();
      SourceTopics source = cluster.pipelineTopics().prepare(plan, Cluster.Safety.WAIVED);
      SourceTopics fixed = TestCluster.sources(plan, source.journalPartitions());
      Continuity.Ready ready = Continuity.require(plan, app, cluster, fixed, KEY);
      cluster.offsets(plan.pipeline()).establish();
      new OffsetsOfState(plan.pipeline(), app).requireInOrder(cluster);
      Continuity.enter(ready, app, cluster, KEY);
      new OrdersLog(plan.pipeline(), app, KEY).read(cluster, source);
      cluster.pipelineTopics().stampedBy(plan.pipeline());
    }
  }

  private static void send(String name) throws RefusedException {
    write(
        name + "-control",
        Outputs.encode(
            ControlEntry.newBuilder()
                .setCommand(ControlCommand.ENROL)
                .setSubject("ann")
                .setFrom(Instant.ofEpochMilli(BASE))
                .build()));
    String roster = Names.changelogTopic("sfumato-" + name, "subject-store");
    awaitOutput(roster);
    try (EventPublisher publisher = new EventPublisher(admin)) {
      for (int window = 0; window < 3; window++) {
        String at = Instant.ofEpochMilli(BASE + window * 10_000).toString();
        publisher.event(
            name + "-in",
            "ann",
            "{\"who\":\"ann\",\"at\":\"%s\",\"what\":\"a\"}"
                .formatted(at)
                .getBytes(StandardCharsets.UTF_8));
      }
      publisher.event(name + "-in", "ann", "{".getBytes(StandardCharsets.UTF_8));
      publisher.tick(name + "-in", BASE + 60_000, TestCluster.ticks(name));
    }
    awaitOutput(name + "-mix");
    write(
        name + "-candidates",
        Outputs.encode(
            AbcCandidate.newBuilder()
                .setOutput(name + "-fit")
                .setQueryId("q")
                .setCandidate(0)
                .setCandidates(1)
                .setSubject("ann")
                .setWindowStart(Instant.ofEpochMilli(BASE + 20_000))
                .setParameters(List.of(1.0))
                .setCounts(List.of(1L, 0L))
                .build()));
    for (String output : List.of("-fit", "-refusals", "-dead-letters")) {
      awaitOutput(name + output);
    }
  }

  private static void write(String topic, byte[] value) throws RefusedException {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            admin.producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, 0, null, value));
    }
  }

  private static void awaitOutput(String topic) {
    await().alias(topic).atMost(TestCluster.PATIENCE).until(() -> written(topic) > 0);
  }

  private static int written(String topic) throws RefusedException {
    AtomicInteger seen = new AtomicInteger();
    new OutputReader(admin)
        .read(List.of(topic), OutputReader.Ending.AT_END, record -> seen.incrementAndGet() > 0);
    return seen.get();
  }

  private static KafkaSettings settings(String user) throws RefusedException {
    return broker.settings(user, Map.of("repartition.purge.interval.ms", "1000"));
  }
}
