// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.doctor.Finding.Severity;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction of somebody at work ends; one that is held does not. */
class OpenTransactionsTest {
  private static final String YAML =
      """
      pipeline: p
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: b, unit: record, epsilon: 2, delta: 1e-6, period: PERIOD }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }WINDOWS }
      """;

  /** Where topics end after some pauses: in truth, and for readers of committed records. */
  private final Map<TopicPartition, List<Long>> ends = new HashMap<>();

  private final Map<TopicPartition, List<Long>> settled = new HashMap<>();
  private final Set<TopicPartition> silent = new HashSet<>();
  private int pauses;
  private int questions;
  private Pipeline pipeline;

  @BeforeEach
  void readFile() throws Exception {
    pipeline =
        PipelineFile.parse("p.yaml", YAML.replace("PERIOD", "window").replace("WINDOWS", ""));
  }

  private Map<TopicPartition, Long> ends(Set<TopicPartition> partitions, IsolationLevel level) {
    questions++;
    Map<TopicPartition, List<Long>> of = level == IsolationLevel.READ_COMMITTED ? settled : ends;
    Map<TopicPartition, Long> now = new HashMap<>();
    for (TopicPartition partition : partitions) {
      List<Long> offsets = of.get(partition);
      if (!silent.contains(partition)) {
        now.put(partition, offsets.get(Math.min(pauses, offsets.size() - 1)));
      }
    }
    return now;
  }

  private void topic(String topic, int partition, List<Long> end, List<Long> settledUpTo) {
    ends.put(new TopicPartition(topic, partition), end);
    settled.put(new TopicPartition(topic, partition), settledUpTo);
  }

  private OpenTransactions looker() {
    return new OpenTransactions(pipeline, this::ends, () -> pauses++);
  }

  private Map<String, List<Integer>> held() throws RefusedException {
    return looker().held(Set.copyOf(ends.keySet()));
  }

  @Test
  void shouldWaitForNothingWhereNothingIsOpen() throws Exception {
    topic("in", 0, List.of(7L), List.of(7L));
    topic("sfumato-b-registry", 0, List.of(0L), List.of(0L));
    assertThat(held()).isEmpty();
    assertThat(pauses).isZero();
    assertThat(questions).as("all topics in one question of each level").isEqualTo(2);
  }

  private static Pipeline withAccount() throws Exception {
    return PipelineFile.parse(
        "p.yaml",
        YAML.replace("PERIOD", "lifetime, account: { name: acme, epsilon: 4, delta: 1e-5 }")
            .replace("WINDOWS", ", windows: 1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "in",
        "p-control",
        "mix",
        "p-dead-letters",
        "sfumato-b-journal-repartition",
        "sfumato-b-ledger-store-changelog",
        "sfumato-b-registry",
        "p-registry",
        "sfumato-accounts"
      })
  void shouldFindWhatStandsStill(String topic) throws Exception {
    pipeline = withAccount();
    topic(topic, 0, List.of(9L), List.of(9L));
    topic(topic, 1, List.of(7L, 8L, 9L), List.of(5L));
    topic(topic, 2, List.of(7L), List.of(5L));
    assertThat(held()).isEqualTo(Map.of(topic, List.of(1, 2)));
    assertThat(pauses).isEqualTo(OpenTransactions.LOOKS - 1);
  }

  /** Open at every look, and each time another one: that is a pipeline at work. */
  @Test
  void shouldNotMindWhatMovesOn() throws Exception {
    List<Long> moving = List.of(5L, 5L, 5L, 6L);
    topic("sfumato-b-journal-repartition", 0, List.of(9L), moving);
    topic("in", 0, List.of(9L), moving);
    topic("mix", 0, List.of(9L), moving);
    assertThat(held()).isEmpty();
    assertThat(pauses).as("as soon as it has moved on").isEqualTo(3);
  }

  /** Nobody is at work in a registry all the time. */
  @Test
  void shouldFindOneAfterTheOtherInARegistry() throws Exception {
    pipeline = withAccount();
    List<Long> moving = List.of(5L, 6L, 7L, 8L);
    for (String registry : List.of("sfumato-b-registry", "p-registry", "sfumato-accounts")) {
      topic(registry, 0, List.of(9L), moving);
    }
    assertThat(held()).containsOnlyKeys("sfumato-b-registry", "p-registry", "sfumato-accounts");
    pauses = 0;
    topic("p-registry", 0, List.of(9L), List.of(5L, 9L, 5L));
    assertThat(held()).as("once it was not open").doesNotContainKey("p-registry");
  }

  @Test
  void shouldSeeTheOthersWhereAPartitionDoesNotAnswer() throws Exception {
    topic("in", 0, List.of(9L), List.of(5L));
    topic("in", 1, List.of(9L), List.of(5L));
    silent.add(new TopicPartition("in", 0));
    assertThat(held()).isEqualTo(Map.of("in", List.of(1)));
  }

  @Test
  void shouldSayWhatIsHiddenAndWhoToLookFor() throws Exception {
    pipeline = withAccount();
    Set<String> problems = Set.of("sfumato-b-registry", "p-registry", "sfumato-accounts");
    for (String topic : TopicRole.of(pipeline).keySet()) {
      assertThat(looker().findings(Map.of(topic, List.of(2, 3)), "k:9092"))
          .singleElement()
          .satisfies(
              f -> {
                assertThat(f.severity())
                    .as(topic)
                    .isEqualTo(problems.contains(topic) ? Severity.PROBLEM : Severity.WARNING);
                assertThat(f.subject()).isEqualTo(topic);
                assertThat(f.found()).contains("transaction stays open (partition 2, 3)");
                assertThat(f.fix())
                    .contains(
                        "kafka-transactions.sh --bootstrap-server k:9092 --command-config"
                            + " admin.properties describe-producers --topic "
                            + topic
                            + " --partition 2",
                        "transaction.max.timeout.ms");
              });
    }
  }

  @Test
  void shouldHideNothingWhereALookFails() throws Exception {
    RefusedException broken = new RefusedException(ExitCode.FAILED, "no answer, do this");
    assertThat(
            Check.at(
                "budget b",
                () -> {
                  throw broken;
                }))
        .containsExactly(Finding.problem("budget b", "could not be checked", "no answer, do this"));
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                Check.at(
                    "budget b",
                    () -> {
                      throw broken;
                    }))
        .isSameAs(broken);
    assertThat(Thread.interrupted()).isTrue();
  }
}
