// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.doctor.Finding.Severity;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.runtime.TopicCommand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

/** What the doctor says of who sets the timestamps that clocks are bounded by. */
class TimestampsOfRecordsTest {
  private static List<Finding> found(String type, String after) throws Exception {
    Plan plan = Plans.example("diary.yaml");
    Node node = new Node(1, "broker", 9092);
    TopicDescription topic =
        new TopicDescription(
            "diary", false, List.of(new TopicPartitionInfo(0, node, List.of(node), List.of(node))));
    Config config =
        new Config(
            List.of(
                new ConfigEntry("message.timestamp.type", type),
                new ConfigEntry("message.timestamp.after.max.ms", after),
                new ConfigEntry("cleanup.policy", "delete")));
    return new TopicCheck(
            plan,
            Map.of("diary", topic),
            Map.of("diary", config),
            Set.of(),
            new TopicCommand("broker:9092"))
        .findings().stream().filter(finding -> finding.found().contains("timestamps")).toList();
  }

  @Test
  void shouldSayWhatIsReliedOnWhereBrokersDoNotStampRecords() throws Exception {
    assertThat(found("LogAppendTime", "9223372036854775807")).isEmpty();
    assertThat(found("CreateTime", "3600000"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.found()).contains("message.timestamp.after.max.ms=3600000");
              assertThat(finding.fix()).contains("message.timestamp.type=LogAppendTime");
            });
    assertThat(found("CreateTime", "9223372036854775807"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
              assertThat(finding.found()).contains("close every window permanently");
            });
  }

  private static List<Finding> ofOutput(String outputAfter) throws Exception {
    Plan plan = Plans.example("diary.yaml");
    String output = plan.pipeline().releases().get(0).topic();
    Node node = new Node(1, "broker", 9092);
    List<TopicPartitionInfo> one =
        List.of(new TopicPartitionInfo(0, node, List.of(node), List.of(node)));
    return new TopicCheck(
            plan,
            Map.of(
                "diary",
                new TopicDescription("diary", false, one),
                output,
                new TopicDescription(output, false, one)),
            Map.of("diary", config("86400000"), output, config(outputAfter)),
            Set.of(),
            new TopicCommand("broker:9092"))
        .findings().stream().filter(finding -> finding.subject().equals(output)).toList();
  }

  private static Config config(String after) {
    return new Config(
        List.of(
            new ConfigEntry("message.timestamp.type", "CreateTime"),
            new ConfigEntry("message.timestamp.after.max.ms", after),
            new ConfigEntry("message.timestamp.before.max.ms", "9223372036854775807"),
            new ConfigEntry("max.message.bytes", "10000000"),
            new ConfigEntry("min.insync.replicas", "2"),
            new ConfigEntry("unclean.leader.election.enable", "false"),
            new ConfigEntry("cleanup.policy", "delete")));
  }

  /** One record would stop the pipeline until its time has come. */
  @Test
  void shouldNameTheOutputThatTakesFewerTimestampsThanTheRecordsTopic() throws Exception {
    assertThat(ofOutput("3600000"))
        .filteredOn(finding -> finding.found().contains("timestamps"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
              assertThat(finding.found()).contains("message.timestamp.after.max.ms=3600000");
              assertThat(finding.fix()).contains("--add-config message.timestamp.after.max.ms=");
            });
    assertThat(ofOutput("86400000")).noneMatch(finding -> finding.found().contains("timestamps"));
  }
}
