// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.doctor.Finding.Severity;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.HangingTransaction;
import io.sfumato.runtime.HangingTransactions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HangingTransactionCheckTest {
  private static final String YAML =
      """
      pipeline: p
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: b, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }
      """;

  private static final HangingTransactions.Answer NOTHING =
      new HangingTransactions.Answer(List.of(), Set.of(), false);

  private final Set<TopicPartition> asked = new HashSet<>();
  private final Set<TopicPartition> hanging = new HashSet<>();
  private Pipeline pipeline;

  @BeforeEach
  void readFile() throws Exception {
    pipeline = PipelineFile.parse("p.yaml", YAML);
  }

  private List<Finding> findings(Map<String, List<Integer>> open, HangingTransactions.Answer answer)
      throws Exception {
    return new HangingTransactionCheck(
            pipeline,
            (partitions, longest) -> {
              asked.addAll(partitions);
              return answer;
            },
            "k:9092")
        .findings(open, Duration.ofMinutes(15), hanging);
  }

  private static HangingTransaction hanging(String topic, int partition) {
    return new HangingTransaction(
        new TopicPartition(topic, partition),
        new ProducerState(7, 3, 4, 1_767_571_200_000L, OptionalInt.empty(), OptionalLong.of(12)),
        Optional.of(
            new TransactionDescription(
                1,
                TransactionState.COMPLETE_COMMIT,
                7,
                4,
                10_000,
                OptionalLong.empty(),
                Set.of())));
  }

  /** Whoever writes records may hold transactions open, and hang: the pipeline waits for them. */
  @Test
  void shouldAskAboutTheTopicsAloneThatThePipelineWrites() throws Exception {
    findings(
        Map.of(
            "in", List.of(0),
            "mix", List.of(0, 2),
            "sfumato-b-ledger-store-changelog", List.of(1),
            "sfumato-b-journal-repartition", List.of(0),
            "sfumato-b-registry", List.of(0),
            "p-control", List.of(0)),
        NOTHING);
    assertThat(asked)
        .containsExactlyInAnyOrder(
            new TopicPartition("mix", 0),
            new TopicPartition("mix", 2),
            new TopicPartition("sfumato-b-ledger-store-changelog", 1),
            new TopicPartition("sfumato-b-journal-repartition", 0),
            new TopicPartition("sfumato-b-registry", 0),
            new TopicPartition("p-control", 0));
  }

  @Test
  void shouldAskNothingWhereNothingIsOpen() throws Exception {
    assertThat(findings(Map.of("in", List.of(0)), null)).isEmpty();
  }

  @Test
  void shouldSayWhereAndSinceWhenAndNotToAbort() throws Exception {
    HangingTransactions.Answer two =
        new HangingTransactions.Answer(
            List.of(hanging("mix", 0), hanging("mix", 2)), Set.of(), false);
    assertThat(findings(Map.of("mix", List.of(0, 1, 2)), two))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.severity()).isEqualTo(Severity.PROBLEM);
              assertThat(found.subject()).isEqualTo("mix");
              assertThat(found.found())
                  .contains(
                      "partition 0: producer id 7, from offset 12 on, its coordinator is at"
                          + " CompleteCommit, last written 2026-01-05T00:00:00Z; partition 2");
              assertThat(found.fix()).startsWith("do not abort").contains("runbook.md");
            });
    assertThat(hanging)
        .containsExactlyInAnyOrder(new TopicPartition("mix", 0), new TopicPartition("mix", 2));
    assertThat(OpenTransactions.without(hanging, Map.of("mix", List.of(0, 1, 2), "in", List.of(0))))
        .as("the others may end")
        .isEqualTo(Map.of("mix", List.of(1), "in", List.of(0)));
    assertThat(OpenTransactions.without(hanging, Map.of("mix", List.of(0, 2)))).isEmpty();
  }

  @Test
  void shouldSayWhatItMayNotSee() throws Exception {
    HangingTransactions.Answer blind =
        new HangingTransactions.Answer(List.of(), new TreeSet<>(Set.of("mix", "p-refusals")), true);
    assertThat(findings(Map.of("mix", List.of(0)), blind))
        .hasSize(2)
        .allMatch(found -> found.severity() == Severity.WARNING && !found.fix().isBlank())
        .anyMatch(found -> found.found().contains("no READ on, or no leader of, mix, p-refusals"))
        .anyMatch(found -> found.found().contains("no DESCRIBE on the pipeline's transactional"));
  }

  @Test
  void shouldKnowHowLongBrokersLetTransactionsLive() {
    Config hour = new Config(List.of(new ConfigEntry("transaction.max.timeout.ms", "3600000")));
    Config minute = new Config(List.of(new ConfigEntry("transaction.max.timeout.ms", "60000")));
    assertThat(HangingTransactionCheck.longest(List.of(minute, hour))).hasHours(1);
    assertThat(HangingTransactionCheck.longest(List.of(new Config(List.of())))).hasMinutes(15);
    assertThat(HangingTransactionCheck.longest(List.of())).hasMinutes(15);
  }
}
