// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.TopicRules.Harm;
import io.sfumato.runtime.TopicRules.Lack;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What settings of a pipeline's own topics do, and what mends them. */
class TopicRulesTest {
  private static final String YAML =
      """
      pipeline: diary
      input: { topic: records, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: diet, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }
      """;

  private static final String LEDGERS = "sfumato-diet-ledger-store-changelog";
  private static final String JOURNAL = "sfumato-diet-journal-repartition";
  private static final String REGISTRY = "sfumato-diet-registry";

  private static TopicRules rules() throws Exception {
    Pipeline pipeline = PipelineFile.parse("diary.yaml", YAML);
    return new TopicRules(pipeline);
  }

  private static Config config(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("min.insync.replicas", "2");
    all.put("unclean.leader.election.enable", "false");
    all.put("retention.ms", "-1");
    all.put("retention.bytes", "-1");
    all.put("delete.retention.ms", "604800000");
    all.putAll(settings);
    return new Config(
        all.entrySet().stream().map(s -> new ConfigEntry(s.getKey(), s.getValue())).toList());
  }

  @Test
  void shouldLackNothingWhenSettingsAreAsTheProgramMakesThem() throws Exception {
    for (String topic : rules().topics()) {
      String policy = topic.endsWith("-changelog") ? "compact" : "delete";
      assertThat(rules().lacks(topic, config(Map.of("cleanup.policy", policy))))
          .as(topic)
          .isEmpty();
    }
    assertThat(rules().topics())
        .contains(LEDGERS, JOURNAL, REGISTRY, "diary-registry", "diary-control");
  }

  @ParameterizedTest
  @CsvSource({
    LEDGERS + ", cleanup.policy, delete, DELETES, cleanup.policy=compact",
    LEDGERS + ", cleanup.policy, 'compact,delete', DELETES, cleanup.policy=compact",
    LEDGERS + ", delete.retention.ms, 60000, OUTDATES, delete.retention.ms=604800000",
    LEDGERS + ", min.insync.replicas, 1, COPIES, min.insync.replicas=2",
    JOURNAL + ", cleanup.policy, compact, DELETES, cleanup.policy=delete",
    JOURNAL + ", retention.ms, 604800000, EXPIRES, retention.ms=-1",
    JOURNAL + ", retention.bytes, 1000, EXPIRES, retention.bytes=-1",
    JOURNAL
        + ", unclean.leader.election.enable, true, COPIES, unclean.leader.election.enable=false",
    REGISTRY + ", retention.ms, 604800000, FORGETS, retention.ms=-1",
    "diary-control, retention.ms, 604800000, FORGETS, retention.ms=-1"
  })
  void shouldNameHarmAndCommandWhenASettingIsDangerous(
      String topic, String setting, String value, Harm harm, String mended) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("cleanup.policy", topic.equals(LEDGERS) ? "compact" : "delete");
    settings.put(setting, value);
    List<Lack> lacks = rules().lacks(topic, config(settings));
    assertThat(lacks).singleElement().extracting(Lack::harm).isEqualTo(harm);
    assertThat(lacks.get(0).sentence(new TopicCommand("broker:9092")))
        .startsWith("topic '" + topic + "' has ")
        .contains("--alter --topic " + topic + " --add-config " + mended);
  }

  /** A right may be missing, or a broker not know a setting. */
  @Test
  void shouldSayNothingOfSettingsThatAreNotKnown() throws Exception {
    for (String topic : rules().topics()) {
      assertThat(rules().lacks(topic, new Config(List.of()))).isEmpty();
    }
  }
}
