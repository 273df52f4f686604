// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plan;
import io.sfumato.runtime.Instances;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Operators' tools delete what registries and accounts rest on, or some of it. */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class LostLogsIT {
  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("lost-logs-in", 1);
  }

  @Test
  void shouldRefuseABudgetWhoseRegistryWasDeletedOrCutShort() throws Exception {
    start(plan("lost-registry", ""));
    cluster.deleteTopics(List.of("sfumato-lost-registry-registry"));
    assertRefused(plan("lost-registry", ""), "has no entry for it: the topic was deleted");
    start(plan("cut-registry", ""));
    start(plan("cut-registry", ""));
    deleteRecords("sfumato-cut-registry-registry");
    assertRefused(
        plan("cut-registry", ""),
        "first records of topic 'sfumato-cut-registry-registry' were deleted");
  }

  @Test
  void shouldNotLetAVersionLeaveItsAccount() throws Exception {
    String account = ", account: { name: leavers, epsilon: 2, delta: 1e-5 }";
    start(plan("leaver", account));
    assertRefused(TestCluster.plan(yaml("leaver", "", 2)), "has a share of account 'leavers'");
    assertRefused(
        TestCluster.plan(yaml("leaver", account.replace("leavers", "others"), 2)),
        "restore that account in the file");
    start(plan("leaver", account));
  }

  /** Nobody can tell that claims are gone; whoever holds a share writes it down again. */
  @Test
  void shouldCountSharesAgainWhenTheLogOfAccountsWasDeleted() throws Exception {
    String account = ", account: { name: forgotten, epsilon: 2, delta: 1e-5 }";
    List<String> holders = List.of("forgotten-a", "forgotten-b");
    for (String holder : holders) {
      start(plan(holder, account));
    }
    cluster.deleteTopics(List.of(AccountLog.TOPIC));
    for (String holder : holders) {
      start(plan(holder, account));
    }
    assertRefused(plan("forgotten-c", account), "does not fit account 'forgotten'");
    deleteRecords(AccountLog.TOPIC);
    assertRefused(plan("forgotten-d", account), "first records of topic 'sfumato-accounts'");
    start(plan("forgotten-a", account));
    cluster.deleteTopics(List.of(AccountLog.TOPIC));
  }

  private static void start(Plan plan) throws Exception {
    new Instances(cluster, folder).requireAllowed(plan);
  }

  private static void assertRefused(Plan plan, String why) {
    assertThatThrownBy(() -> start(plan)).hasMessageContaining(why);
  }

  /** As kafka-delete-records does. */
  private static void deleteRecords(String topic) throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = cluster.client()) {
      long end =
          admin
              .listOffsets(Map.of(partition, OffsetSpec.latest()))
              .all()
              .get()
              .get(partition)
              .offset();
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(end))).all().get();
    }
  }

  private static Plan plan(String name, String account) throws Exception {
    return TestCluster.plan(yaml(name, account, 1));
  }

  private static String yaml(String name, String account, int version) {
    return """
        pipeline: %1$s
        version: %3$d
        input: { topic: lost-logs-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %1$s, unit: record, epsilon: 1, delta: 1e-6, period: window%2$s }
        releases:
          - histogram: { name: %1$s-mix, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
        """
        .formatted(name, account, version);
  }
}
