// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plans;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topics and producers that take less than a pipeline may write are named before it runs. */
class TopicSizesTest {
  private static TopicSizes wards;

  @BeforeAll
  static void plan() throws Exception {
    wards = TopicSizes.of(Plans.example("wards.yaml"));
  }

  private static Config config(long bytes) {
    return new Config(List.of(new ConfigEntry(TopicSizes.SETTING, Long.toString(bytes))));
  }

  @Test
  void shouldKnowEveryTopicThatIsWrittenTo() {
    for (String topic :
        List.of(
            "sfumato-wards-journal-repartition",
            "sfumato-wards-users-journal-repartition",
            "sfumato-wards-contribution-store-changelog",
            "sfumato-wards-ledger-store-changelog",
            "sfumato-wards-subjects-meta-store-changelog",
            "ward-mix",
            "wards-refusals",
            "wards-dead-letters")) {
      assertThat(wards.needed(topic)).as(topic).isPresent();
    }
    assertThat(wards.needed("admissions")).isEmpty();
    assertThat(wards.needed("wards-control")).isEmpty();
  }

  @Test
  void shouldNameATopicThatTakesTooLittle() {
    long needed = wards.needed("ward-mix").orElseThrow();
    assertThat(wards.lack("ward-mix", config(needed))).isEmpty();
    assertThat(wards.lack("ward-mix", config(needed - 1)))
        .hasValueSatisfying(
            lack ->
                assertThat(lack.fix(new TopicCommand("broker:9092")))
                    .contains("--topic ward-mix --add-config max.message.bytes=1048588"));
    assertThat(wards.lack("admissions", config(1))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "max.request.size, 200000, true",
    "producer.max.request.size, 200000, true",
    "producer.max.request.size, 1048576, false",
    "buffer.memory, 100000, true",
    "consumer.max.poll.records, 1, false"
  })
  void shouldNameASettingThatLetsTheProducerSendTooLittle(
      String name, String value, boolean refused) throws RefusedException {
    KafkaSettings settings =
        KafkaSettings.gather(Map.of(name, value), Optional.empty(), Map.of(), Optional.empty());
    if (refused) {
      assertThatThrownBy(() -> wards.requireProducer(settings))
          .hasMessageContaining(name.replace("producer.", ""))
          .hasMessageContaining(value);
    } else {
      wards.requireProducer(settings);
    }
  }
}
