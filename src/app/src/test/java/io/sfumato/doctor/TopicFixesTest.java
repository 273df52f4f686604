// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.runtime.TopicCommand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

/** Commands that mend topics can be pasted. */
class TopicFixesTest {
  private static final Config UNSAFE =
      new Config(
          List.of(
              new ConfigEntry("min.insync.replicas", "1"),
              new ConfigEntry("unclean.leader.election.enable", "true"),
              new ConfigEntry("retention.ms", "-1"),
              new ConfigEntry("max.message.bytes", "2000000000"),
              new ConfigEntry("message.timestamp.type", "CreateTime"),
              new ConfigEntry("message.timestamp.before.max.ms", "9223372036854775807"),
              new ConfigEntry("message.timestamp.after.max.ms", "9223372036854775807"),
              new ConfigEntry("cleanup.policy", "delete")));

  @Test
  void shouldNameTheTopicsInEachCommand() throws Exception {
    Plan plan = Plans.example("diary.yaml");
    Node node = new Node(1, "broker", 9092);
    TopicPartitionInfo partition =
        new TopicPartitionInfo(0, node, List.of(node, node, node), List.of(node));
    Map<String, TopicDescription> topics = new TreeMap<>();
    Map<String, Config> configs = new TreeMap<>();
    List<String> outputs = List.of("weekly-mix", plan.pipeline().refusalsTopic());
    for (String topic : List.of("diary", outputs.get(0), outputs.get(1))) {
      topics.put(topic, new TopicDescription(topic, false, List.of(partition)));
      configs.put(topic, UNSAFE);
    }
    List<Finding> findings =
        new TopicCheck(plan, topics, configs, Set.of(), new TopicCommand("broker:9092"))
            .findings().stream().filter(finding -> finding.subject().contains(", ")).toList();
    assertThat(findings).hasSize(2);
    for (Finding finding : findings) {
      assertThat(finding.fix()).doesNotContain("--topic TOPIC");
      for (String topic : outputs) {
        assertThat(finding.fix())
            .containsPattern(
                "kafka-configs.sh --bootstrap-server broker:9092 --command-config admin.properties"
                    + " --alter --topic "
                    + topic
                    + " --add-config \\S+=\\S+");
      }
    }
  }
}
