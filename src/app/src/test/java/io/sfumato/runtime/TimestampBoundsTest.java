// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.topology.context.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No topic that is written takes fewer timestamps than those that are read. */
class TimestampBoundsTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long ANY = Long.MAX_VALUE;

  @TempDir Path folder;

  private static Pipeline pipeline(String name) throws Exception {
    return PipelineFile.read(Path.of("topology/" + name + ".yaml"));
  }

  private static Config config(String type, long after, long before) {
    return new Config(
        List.of(
            new ConfigEntry("message.timestamp.type", type),
            new ConfigEntry("message.timestamp.after.max.ms", Long.toString(after)),
            new ConfigEntry("message.timestamp.before.max.ms", Long.toString(before))));
  }

  private static TimestampBounds reading(String type, long after) throws Exception {
    return TimestampBounds.of(pipeline("diary"), Map.of("diary", config(type, after, ANY)));
  }

  @Test
  void aTopicThatTakesLessThanTheRecordsLacksIt() throws Exception {
    TimestampBounds bounds = reading("CreateTime", DAY);
    assertThat(bounds.lack("mix", config("CreateTime", HOUR, ANY)))
        .hasValueSatisfying(
            lack -> {
              assertThat(lack.what()).isEqualTo("message.timestamp.after.max.ms=3600000");
              assertThat(lack.fix(new TopicCommand("broker:9092")))
                  .isEqualTo(
                      "kafka-configs.sh --bootstrap-server broker:9092 --command-config admin.properties --alter --topic mix --add-config"
                          + " message.timestamp.after.max.ms=9223372036854775807");
            });
    assertThat(bounds.lack("mix", config("CreateTime", DAY, ANY))).isEmpty();
    assertThat(bounds.lack("mix", config("CreateTime", ANY, ANY))).isEmpty();
    assertThat(bounds.lack("mix", config("LogAppendTime", HOUR, HOUR)))
        .as("brokers stamp it anew")
        .isEmpty();
  }

  @Test
  void whereBrokersStampRecordsNoneIsAhead() throws Exception {
    assertThat(reading("LogAppendTime", ANY).lack("mix", config("CreateTime", HOUR, ANY)))
        .isEmpty();
  }

  /** A record is as old as the pipeline has rested. */
  @Test
  void aTopicThatTakesNothingOldLacksIt() throws Exception {
    assertThat(reading("LogAppendTime", HOUR).lack("mix", config("CreateTime", HOUR, DAY)))
        .hasValueSatisfying(
            lack ->
                assertThat(lack.fix(new TopicCommand("broker:9092")))
                    .contains("message.timestamp.before.max.ms="));
  }

  /** Candidates are read, too: who writes them may stamp them. */
  @Test
  void candidatesCount() throws Exception {
    Pipeline trials = pipeline("diary-model");
    Config stamped = config("LogAppendTime", HOUR, ANY);
    TimestampBounds bounds =
        TimestampBounds.of(
            trials,
            Map.of(
                trials.input().topics().names().get(0),
                stamped,
                trials.candidatesTopic(),
                config("CreateTime", ANY, ANY)));
    assertThat(bounds.lack("answers", config("CreateTime", HOUR, ANY))).isPresent();
  }

  @Test
  void whatIsWrittenIsKnown() throws Exception {
    Pipeline diary = pipeline("diary");
    assertThat(Names.journalTopics(diary)).allMatch(t -> TimestampBounds.isWritten(diary, t));
    assertThat(
            List.of(
                Names.changelogTopics(diary).get(0),
                diary.releases().get(0).topic(),
                diary.refusalsTopic(),
                diary.deadLettersTopic()))
        .allMatch(topic -> TimestampBounds.isWritten(diary, topic));
    assertThat(List.of(diary.input().topics().names().get(0), diary.controlTopic()))
        .noneMatch(topic -> TimestampBounds.isWritten(diary, topic));
  }

  /** Whatever brokers give new topics. */
  @Test
  void whatTheProgramMakesTakesEverything() throws Exception {
    for (NewTopic topic : OwnTopics.of(pipeline("diary"), 1, (short) 1)) {
      assertThat(topic.configs()).containsAllEntriesOf(TimestampBounds.SETTINGS);
    }
    Properties streams =
        StreamsSettings.of(
            "sfumato-diary",
            new PipelineRun.Instance(
                KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.empty()),
                folder,
                1,
                0));
    TimestampBounds.SETTINGS.forEach(
        (name, value) -> assertThat(streams).containsEntry(StreamsConfig.topicPrefix(name), value));
  }
}
