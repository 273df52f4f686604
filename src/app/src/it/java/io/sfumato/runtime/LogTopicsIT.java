// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.client.OutputReader;
import io.sfumato.doctor.Doctor;
import io.sfumato.doctor.Finding;
import io.sfumato.doctor.Rights;
import io.sfumato.ledger.AccountLog;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.PipelineRegistry;
import io.sfumato.ledger.Registry;
import io.sfumato.release.Plan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registries and accounts whose topic somebody else has made, and which forgets. */
class LogTopicsIT {
  private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");
  private static final Map<String, String> FOR_A_WEEK = Map.of("retention.ms", "604800000");

  @TempDir static Path folder;
  private static SecuredBroker broker;
  private static KafkaSettings admin;
  private static KafkaSettings mine;

  @BeforeAll
  static void start() throws Exception {
    broker = SecuredBroker.start(folder.resolve("broker"), SecuredBroker.STANDARD, "mine");
    admin = broker.settings("admin");
    mine = broker.settings("mine");
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  /** A file, its records' topic, and the rights of its principal. */
  private static Plan granted(String name) throws Exception {
    try (Cluster cluster = new Cluster(admin)) {
      cluster.topics().createIfMissing(name + "-in", 1);
    }
    Plan plan =
        TestCluster.plan(
            """
            pipeline: NAME
            input: { topic: NAME-in, subject: who, time: at, category: what, categories: [a, b] }
            window: { size: 10s }
            budget: { name: NAME, unit: record, epsilon: 2, delta: 1e-6, period: window, account: { name: NAME-people, epsilon: 5, delta: 1e-5 } }
            releases:
              - histogram: { name: NAME-mix, share: { epsilon: 2, delta: 1e-6 } }
            """
                .replace("NAME", name));
    List<AclBinding> rules =
        new Rights(plan.pipeline()).rules("User:mine", Rights.Part.APPLICATION);
    try (Admin client = Admin.create(admin.admin())) {
      client.createAcls(rules).all().get();
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> client.describeAcls(AclBindingFilter.ANY).values().get().containsAll(rules));
    }
    return plan;
  }

  /** Made, or made anew, as somebody else would. */
  private static void create(String topic, Map<String, String> config) throws Exception {
    try (Admin client = Admin.create(admin.admin())) {
      if (client.listTopics().names().get().contains(topic)) {
        // All tests share the topic of accounts, and none may depend on which comes first.
        TestCluster.deleteTopics(admin, List.of(topic));
      }
      TestCluster.create(client, List.of(new NewTopic(topic, 1, (short) 1).configs(config)));
    }
    try (Cluster cluster = new Cluster(admin)) {
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.topics().isThere(topic));
    }
  }

  private static Config config(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin client = Admin.create(admin.admin())) {
      return client.describeConfigs(List.of(resource)).all().get().get(resource);
    }
  }

  private static void require(Plan plan, KafkaSettings settings) throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      Continuity.require(plan, settings, cluster, TestCluster.sources(plan, 1), TestCluster.key());
    }
  }

  private static int entries(String topic) throws RefusedException {
    AtomicInteger seen = new AtomicInteger();
    new OutputReader(admin)
        .read(List.of(topic), OutputReader.Ending.AT_END, record -> seen.incrementAndGet() > 0);
    return seen.get();
  }

  private static List<String> problems(Plan plan) throws RefusedException {
    return new Doctor(plan, admin)
        .examine(new Doctor.Machine(Optional.empty(), Map.of(), folder.resolve("data"))).stream()
            .filter(finding -> finding.found().startsWith("does not keep all entries"))
            .map(Finding::subject)
            .toList();
  }

  /** Who may not change it starts nothing, and says what an administrator has to run. */
  @ParameterizedTest
  @ValueSource(strings = {"registry-compacted", "registry-week", "names-compacted"})
  void shouldRefuseARegistryThatForgetsAndNameTheCommand(String name) throws Exception {
    Plan plan = granted(name);
    String topic =
        name.startsWith("names") ? PipelineRegistry.topicOf(name) : Registry.topicOf(name);
    create(topic, name.endsWith("week") ? FOR_A_WEEK : COMPACTED);
    assertThat(problems(plan)).containsExactly(topic);
    assertThatThrownBy(() -> require(plan, mine))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.code()).isEqualTo(ExitCode.REFUSED_CLUSTER))
        .hasMessageContaining("topic '%s' deletes old entries: ".formatted(topic))
        .hasMessageContaining(
            "--alter --topic %s --add-config cleanup.policy=delete,retention.bytes=-1,retention.ms=-1"
                .formatted(topic));
    assertThat(entries(topic)).as("nothing was written").isZero();

    require(plan, admin);
    assertThat(OwnTopics.keepsAll(config(topic))).as("whoever may sets it right").isTrue();
    assertThat(problems(plan)).isEmpty();
    assertThatCode(() -> require(plan, mine)).doesNotThrowAnyException();
    assertThat(entries(topic)).isPositive();
  }

  /** Nobody claims where a later record could delete the claim. */
  @Test
  void shouldClaimNothingOfAnAccountWhoseTopicForgets() throws Exception {
    Plan plan = granted("claims");
    create(AccountLog.TOPIC, COMPACTED);
    assertThat(problems(plan)).containsExactly(AccountLog.TOPIC);
    assertThatThrownBy(() -> require(plan, mine))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("topic 'sfumato-accounts' deletes old entries: ")
        .hasMessageContaining("--add-config cleanup.policy=delete");
    assertThat(entries(AccountLog.TOPIC)).isZero();
    assertThat(entries(PipelineRegistry.topicOf("claims")))
        .as("a budget that its account refuses may still be renamed")
        .isEqualTo(1);
    require(plan, admin);
    assertThat(OwnTopics.keepsAll(config(AccountLog.TOPIC))).isTrue();
    assertThat(entries(AccountLog.TOPIC)).isEqualTo(1);
  }
}
