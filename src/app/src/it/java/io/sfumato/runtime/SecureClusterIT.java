// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.client.EventPublisher;
import io.sfumato.client.OutputReader;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.doctor.Doctor;
import io.sfumato.doctor.Finding;
import io.sfumato.doctor.Finding.Severity;
import io.sfumato.release.Plan;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that speaks TLS and wants a password, reached by a properties file alone. */
@Tag("cluster")
class SecureClusterIT {
  private static final String YAML =
      """
      pipeline: secure
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: secure, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }
      """;
  private static final String PASSWORD = "store-password";

  @TempDir Path folder;

  @Test
  void shouldRunOverTlsWithSasl() throws Exception {
    Path store = TestKeyStore.in(folder, PASSWORD);
    int port = EmbeddedBroker.freePort();
    try (EmbeddedBroker broker =
        EmbeddedBroker.start(folder.resolve("broker"), port, secured(store))) {
      KafkaSettings settings = settings(broker, "right");
      Plan plan = TestCluster.plan(YAML);
      try (Cluster cluster = new Cluster(settings)) {
        cluster.topics().createIfMissing("in", 1);
      }
      TestCluster.prepare(settings, plan);
      try (PipelineRun run =
              PipelineRun.start(
                  plan,
                  TestCluster.deployment(plan, 1, PipelineMeters.none()),
                  new PipelineRun.Instance(settings, folder.resolve("state"), 1, 0));
          EventPublisher publisher = new EventPublisher(settings)) {
        publisher.event(
            "in",
            "ann",
            "{\"who\":\"ann\",\"at\":\"2026-01-05T00:00:00Z\",\"what\":\"a\"}"
                .getBytes(StandardCharsets.UTF_8));
        publisher.tick(
            "in",
            Instant.parse("2026-01-05T00:01:00Z").toEpochMilli(),
            TestCluster.ticks(plan.pipeline().budget().name()));
        await().atMost(TestCluster.PATIENCE).until(() -> releases(settings) == 1);
      }
      KafkaSettings wrong = settings(broker, "wrong");
      try (Cluster cluster = new Cluster(wrong)) {
        assertThatThrownBy(
                () -> cluster.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.WAIVED))
            .isInstanceOf(RefusedException.class)
            .hasMessageContaining("Authentication failed")
            .message()
            .doesNotContain("wrong");
      }
    }
  }

  /**
   * Where the cluster denies an output, the pipeline stops and names it; the doctor sees who reads.
   */
  @Test
  void shouldNameWhatTheClusterDeniesAndWhoMayReadTooMuch() throws Exception {
    Plan plan = TestCluster.plan(YAML);
    try (SecuredBroker broker =
        SecuredBroker.start(folder.resolve("acl"), SecuredBroker.STANDARD, "app")) {
      KafkaSettings boss = broker.settings(SecuredBroker.ADMIN);
      KafkaSettings app = broker.settings("app");
      try (Cluster cluster = new Cluster(boss)) {
        cluster.topics().createIfMissing("in", 1);
      }
      TestCluster.prepare(boss, plan);
      try (Admin admin = Admin.create(boss.admin())) {
        List<AclBinding> acls = new ArrayList<>();
        acls.add(acl("User:app", ResourceType.TOPIC, "*", AclOperation.ALL));
        acls.add(acl("User:app", ResourceType.GROUP, "*", AclOperation.ALL));
        acls.add(acl("User:app", ResourceType.TRANSACTIONAL_ID, "*", AclOperation.ALL));
        acls.add(acl("User:app", ResourceType.CLUSTER, "kafka-cluster", AclOperation.ALL));
        acls.add(acl("User:spy", ResourceType.TOPIC, "secure-dead-letters", AclOperation.READ));
        acls.add(acl("User:eve", ResourceType.CLUSTER, "kafka-cluster", AclOperation.ALTER));
        acls.add(acl("User:eve", ResourceType.USER, "User:app", AclOperation.CREATE_TOKENS));
        List<String> open = new ArrayList<>(Names.journalTopics(plan.pipeline()));
        open.add(Names.changelogTopic(plan.pipeline().applicationId(), LedgerImage.LEDGERS));
        open.addAll(List.of("in", "secure-control"));
        for (String topic : open) {
          acls.add(acl("User:*", ResourceType.TOPIC, topic, AclOperation.WRITE));
        }
        acls.add(acl("User:*", ResourceType.TOPIC, "in", AclOperation.READ));
        acls.add(denied("mix", AclOperation.WRITE));
        admin.createAcls(acls).all().get();
      }
      PipelineRun.Instance instance =
          new PipelineRun.Instance(app, folder.resolve("acl-state"), 1, 0);
      try (PipelineRun run =
              PipelineRun.start(
                  plan, TestCluster.deployment(plan, 1, PipelineMeters.none()), instance);
          EventPublisher publisher = new EventPublisher(boss)) {
        assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
        publisher.event(
            "in",
            "ann",
            "{\"who\":\"ann\",\"at\":\"2026-01-05T00:00:00Z\",\"what\":\"a\"}"
                .getBytes(StandardCharsets.UTF_8));
        publisher.tick(
            "in",
            Instant.parse("2026-01-05T00:01:00Z").toEpochMilli(),
            TestCluster.ticks(plan.pipeline().budget().name()));
        assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
        assertThat(run.failure().orElseThrow())
            .hasMessageContaining("the cluster denies access to [mix]");
        assertThat(run.failure().orElseThrow().code()).isEqualTo(ExitCode.REFUSED_CLUSTER);
      }
      List<Finding> findings =
          new Doctor(plan, boss).examine(new Doctor.Machine(Optional.empty(), Map.of(), folder));
      assertThat(findings)
          .anySatisfy(
              finding -> {
                assertThat(finding.subject()).isEqualTo("secure-dead-letters");
                assertThat(finding.found()).contains("single records").contains("User:spy");
                assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              });
      for (String topic :
          List.of("in", "secure-control", "journal-repartition", "ledger-store-changelog")) {
        assertThat(findings)
            .as("everybody may write " + topic)
            .anySatisfy(
                finding -> {
                  assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                  assertThat(finding.subject()).endsWith(topic);
                  assertThat(finding.found()).startsWith("may be written by [User:*]");
                  assertThat(finding.fix())
                      .contains("kafka-acls.sh --bootstrap-server " + broker.bootstrapServers())
                      .contains("--remove --force --allow-principal 'User:*'");
                });
      }
      assertThat(findings)
          .anySatisfy(
              finding -> {
                assertThat(finding.subject()).isEqualTo("in");
                assertThat(finding.found()).startsWith("may be read by [User:*]: it holds raw");
              })
          .noneMatch(finding -> finding.found().contains("no ACL lets"));
      for (String reach : List.of("cluster", "principal User:app")) {
        assertThat(findings)
            .as("eve reaches everything by a right on " + reach)
            .anySatisfy(
                finding -> {
                  assertThat(finding.subject()).isEqualTo(reach);
                  assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                  assertThat(finding.found()).contains("[User:eve]");
                });
      }
      Doctor denied = new Doctor(plan, app);
      String meta = Names.changelogTopic(plan.pipeline().applicationId(), LedgerImage.META);
      try (Admin admin = Admin.create(boss.admin())) {
        admin.createAcls(List.of(denied(meta, AclOperation.READ))).all().get();
      }
      assertThat(denied.examine(new Doctor.Machine(Optional.empty(), Map.of(), folder)))
          .as("what cannot be read is no import that was cut short, nor a ledger in order")
          .filteredOn(finding -> finding.subject().equals("budget secure"))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                assertThat(finding.found()).isEqualTo("not checked: no READ on " + meta);
              });
      try (Cluster cluster = new Cluster(app);
          Admin admin = Admin.create(boss.admin())) {
        cluster.pipelineTopics().requireTicks("in");
        admin.createAcls(List.of(denied("in", AclOperation.WRITE))).all().get();
        await()
            .atMost(TestCluster.PATIENCE)
            .untilAsserted(
                () ->
                    assertThatThrownBy(() -> cluster.pipelineTopics().requireTicks("in"))
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining("grant it WRITE on topic 'in'"));
      }
      try (Admin admin = Admin.create(boss.admin())) {
        admin
            .deleteAcls(
                List.of(
                    new AclBindingFilter(
                        ResourcePatternFilter.ANY,
                        new AccessControlEntryFilter(
                            null, null, AclOperation.ANY, AclPermissionType.DENY))))
            .all()
            .get();
      }
      try (PipelineRun run =
          PipelineRun.start(
              plan, TestCluster.deployment(plan, 1, PipelineMeters.none()), instance)) {
        await().atMost(TestCluster.PATIENCE).until(() -> releases(boss) == 1);
        assertThat(run.failure()).isEmpty();
      }
    }
  }

  private static AclBinding denied(String topic, AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:app", "*", operation, AclPermissionType.DENY));
  }

  private static AclBinding acl(
      String principal, ResourceType type, String name, AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(type, name, PatternType.LITERAL),
        new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW));
  }

  private static int releases(KafkaSettings settings) throws RefusedException {
    AtomicInteger seen = new AtomicInteger();
    new OutputReader(settings)
        .read(List.of("mix"), OutputReader.Ending.AT_END, record -> seen.incrementAndGet() > 0);
    return seen.get();
  }

  private KafkaSettings settings(EmbeddedBroker broker, String password) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve(password + ".properties"),
            """
            security.protocol=SASL_SSL
            sasl.mechanism=PLAIN
            sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="%s";
            ssl.truststore.location=%s
            ssl.truststore.password=%s
            ssl.endpoint.identification.algorithm=
            """
                .formatted(password, folder.resolve("store.p12"), PASSWORD));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return KafkaSettings.gather(
        Map.of(), Optional.of(file), Map.of(), Optional.of(broker.bootstrapServers()));
  }

  private static Map<String, String> secured(Path store) {
    Map<String, String> config = new HashMap<>();
    config.put("listener.security.protocol.map", "CLIENTS:SASL_SSL,CONTROLLER:PLAINTEXT");
    config.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
    config.put("sasl.enabled.mechanisms", "PLAIN");
    config.put(
        "listener.name.clients.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"app\""
            + " password=\"right\" user_app=\"right\";");
    config.put("ssl.keystore.location", store.toString());
    config.put("ssl.keystore.password", PASSWORD);
    config.put("ssl.truststore.location", store.toString());
    config.put("ssl.truststore.password", PASSWORD);
    config.put("ssl.endpoint.identification.algorithm", "");
    return config;
  }
}
