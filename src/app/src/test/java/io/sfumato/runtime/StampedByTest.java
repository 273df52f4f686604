// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;

/** What the bound of clocks relies on, said before anything starts. */
class StampedByTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final TopicCommand COMMAND = new TopicCommand("broker:9092");

  private static StampedBy of(String maxAhead, String type, OptionalLong after) throws Exception {
    Path file = Path.of("topology/diary.yaml");
    Pipeline pipeline =
        PipelineFile.parse(
            file.toString(),
            Files.readString(file)
                .replaceFirst("grace: 1d", "grace: 1d\n  max-ahead: " + maxAhead));
    List<ConfigEntry> entries = new ArrayList<>();
    entries.add(new ConfigEntry("message.timestamp.type", type));
    after.ifPresent(
        ms -> entries.add(new ConfigEntry("message.timestamp.after.max.ms", Long.toString(ms))));
    return StampedBy.of(pipeline, pipeline.input().topics().names().get(0), new Config(entries));
  }

  @Test
  void brokersThatStampNeedNoWord() throws Exception {
    StampedBy brokers = of("1d", "LogAppendTime", OptionalLong.of(Long.MAX_VALUE));
    assertThat(brokers.trust()).isEqualTo(StampedBy.Trust.BROKERS);
    assertThat(brokers.require(Cluster.Safety.REQUIRED, COMMAND)).isEmpty();
  }

  @Test
  void producersWithinABoundAreNamedWithTheCommandThatMendsIt() throws Exception {
    StampedBy producers = of("1d", "CreateTime", OptionalLong.of(HOUR));
    assertThat(producers.trust()).isEqualTo(StampedBy.Trust.PRODUCERS_WITHIN);
    assertThat(producers.require(Cluster.Safety.REQUIRED, COMMAND))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .startsWith("note: producers set the Kafka timestamps of diary")
                    .contains("message.timestamp.after.max.ms=3600000")
                    .contains("--topic diary --add-config message.timestamp.type=LogAppendTime")
                    .doesNotContain("\n"));
  }

  @Test
  void aTopicThatOneRecordCouldShutIsRefusedUnlessTheRiskIsTaken() throws Exception {
    for (StampedBy anybody :
        List.of(
            of("1d", "CreateTime", OptionalLong.of(Long.MAX_VALUE)),
            of("1d", "CreateTime", OptionalLong.of(DAY + 1)),
            of("1m", "CreateTime", OptionalLong.of(HOUR + 1)),
            of("1d", "CreateTime", OptionalLong.empty()))) {
      assertThat(anybody.trust()).isEqualTo(StampedBy.Trust.PRODUCERS);
      assertThatThrownBy(() -> anybody.require(Cluster.Safety.REQUIRED, COMMAND))
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.code()).isEqualTo(ExitCode.REFUSED_CLUSTER))
          .hasMessageContaining("one record from the far future would close every window")
          .hasMessageContaining(
              "kafka-configs.sh --bootstrap-server broker:9092 --command-config admin.properties"
                  + " --alter")
          .hasMessageContaining("--accept-risk");
      assertThat(anybody.require(Cluster.Safety.WAIVED, COMMAND)).isPresent();
    }
    assertThat(of("2d", "CreateTime", OptionalLong.of(2 * DAY)).trust())
        .as("no further than a clock may run anyway")
        .isEqualTo(StampedBy.Trust.PRODUCERS_WITHIN);
  }
}
