// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights that a file asks for are on its own topics, whatever it names. */
class TopicRoleTest {
  private static final String YAML =
      """
      pipeline: p
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: eve, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, topic: OUT, share: { epsilon: 2, delta: 1e-6 } }
      """;

  /** Whoever could name one would be given rights on it by the commands that are printed. */
  @ParameterizedTest
  @ValueSource(strings = {"diary-model", "wards", "demo"})
  void shouldNotBeNamedByAFileWhereItIsABudgets(String file) throws Exception {
    Pipeline victim = PipelineFile.read(Path.of("topology", file + ".yaml"));
    int refused = 0;
    for (Map.Entry<String, TopicRole> entry : TopicRole.of(victim).entrySet()) {
      if (isOfABudget(entry.getValue(), entry.getKey(), victim)) {
        String topic = entry.getKey();
        refuse(topic, YAML.replace("OUT", topic));
        refuse(topic, YAML.replace("OUT", "out").replace("topic: in,", "topic: " + topic + ","));
        refused++;
      }
    }
    assertThat(refused).isGreaterThanOrEqualTo(7);
  }

  private static List<String> rights(String pattern, Rights.Part part) throws Exception {
    Pipeline pipeline =
        PipelineFile.parse(
            "p.yaml",
            YAML.replace("OUT", "out")
                .replace("topic: in,", "topic: { pattern: '" + pattern + "' },"));
    Pipeline resolved = pipeline.with(pipeline.input().topics().resolved(List.of("clicks-eu")));
    return new Rights(resolved)
        .needed(part).stream()
            .map(right -> right.pattern().patternType() + " " + right.pattern().name())
            .filter(right -> right.contains("clicks"))
            .toList();
  }

  /** A right on a prefix must not be one on commands, ledgers or a cluster's own topics. */
  @Test
  void shouldGiveARightOnAPrefixOnlyToReadAndWhereNothingElseBeginsSo() throws Exception {
    assertThat(rights("clicks-.*", Rights.Part.APPLICATION)).containsExactly("PREFIXED clicks-");
    assertThat(rights("clicks-.*", Rights.Part.PRODUCER)).containsExactly("LITERAL clicks-eu");
    assertThat(rights("clicks-.*", Rights.Part.TICKER)).containsExactly("LITERAL clicks-eu");
    assertThat(rights("[a-c]licks-.*", Rights.Part.APPLICATION))
        .as("the pattern has no prefix")
        .containsExactly("LITERAL clicks-eu");
    Pipeline near =
        PipelineFile.parse(
            "p.yaml",
            YAML.replace("OUT", "out").replace("topic: in,", "topic: { pattern: 'p[a-c]+' },"));
    assertThat(new Rights(near).needed(Rights.Part.APPLICATION))
        .as("p-control begins so, too")
        .noneMatch(right -> right.pattern().name().equals("p"));
    Pipeline budgets =
        PipelineFile.parse(
            "p.yaml",
            YAML.replace("OUT", "out").replace("topic: in,", "topic: { pattern: 'sf[a-e]+' },"));
    assertThat(new Rights(budgets).needed(Rights.Part.APPLICATION))
        .as("ledgers of all budgets begin so, too")
        .noneMatch(right -> right.pattern().name().equals("sf"));
  }

  @Test
  void shouldNotBeAnOutputWhereItIsThePipelinesOwn() throws Exception {
    Pipeline pipeline = PipelineFile.parse("p.yaml", YAML.replace("OUT", "out"));
    TopicRole.of(pipeline)
        .forEach(
            (topic, role) -> {
              if (role != TopicRole.OUTPUT) {
                refuse(topic, YAML.replace("OUT", topic));
              }
            });
  }

  @Test
  void shouldNotBeATopicOfTheClusterItself() {
    for (SystemTopic system : SystemTopic.values()) {
      String topic = system.topic();
      refuse(topic, YAML.replace("OUT", topic));
      refuse(topic, YAML.replace("OUT", "out").replace("topic: in,", "topic: " + topic + ","));
    }
  }

  private static boolean isOfABudget(TopicRole role, String topic, Pipeline victim) {
    return switch (role) {
      case JOURNAL, CHANGELOG, ACCOUNTS -> true;
      case REGISTRY -> topic.startsWith(victim.applicationId());
      default -> false;
    };
  }

  private static void refuse(String topic, String yaml) {
    assertThatThrownBy(() -> PipelineFile.parse("p.yaml", yaml))
        .as(topic)
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("'" + topic + "'");
  }
}
