// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.PipelineFileException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What no cluster would take is refused before anything runs. */
class WorstCaseTest {
  private static String items(int reservoir, int values, String rest) {
    return """
        pipeline: p
        input: { topic: in, subject: who, time: at, values: %s }
        reservoir: %d
        subjects: roster
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b, unit: dataset, epsilon: 6, period: window }
        releases:
          - mollifier: { name: taste, share: { epsilon: 6 }, reference: { uniform: { low: %s, high: %s } } }
        %s
        """
        .formatted(
            IntStream.range(0, values)
                .mapToObj(i -> "v" + i)
                .collect(Collectors.joining(", ", "[", "]")),
            reservoir,
            numbers(values, 0),
            numbers(values, 1),
            rest);
  }

  private static List<Integer> numbers(int count, int number) {
    return IntStream.range(0, count).mapToObj(i -> number).toList();
  }

  /**
   * The row of a full reservoir does not fit; what the error advises does, and one more does not.
   */
  @Tag("deep")
  @ParameterizedTest
  @CsvSource({"256, 600", "10000, 12", "10000, 1000"})
  void shouldRefuseAReservoirThatNoTopicTakesAndSayWhichDoes(int reservoir, int values)
      throws PipelineFileException {
    String message = "";
    try {
      plan(items(reservoir, values, ""));
    } catch (PipelineFileException e) {
      message = e.getMessage();
    }
    assertThat(message)
        .contains(
            "a row of 'dataset-store'", "lower 'reservoir' from " + reservoir, "input.values");
    Matcher advised = Pattern.compile("to (\\d+) or less").matcher(message);
    assertThat(advised.find()).isTrue();
    int most = Integer.parseInt(advised.group(1));
    assertThatCode(() -> plan(items(most, values, ""))).doesNotThrowAnyException();
    assertThatThrownBy(() -> plan(items(most + 1, values, "")))
        .hasMessageContaining("lower 'reservoir' from " + (most + 1) + " to " + most);
  }

  /** A cluster that takes more is the operator's to name, in the file. */
  @Test
  void shouldTakeMoreWhereTheFileSaysThatTheClusterDoes() throws PipelineFileException {
    assertThatThrownBy(() -> plan(items(256, 600, "kafka: { max.request.size: 1000000 }")))
        .hasMessageContaining("kafka: { max.request.size: ");
    Plan plan = plan(items(256, 600, "kafka: { producer.max.request.size: 2000000 }"));
    assertThat(MessageLimit.of(plan.pipeline())).isEqualTo(2_000_000 - MessageLimit.AROUND);
    assertThat(MessageLimit.ofTopic(plan.pipeline())).isEqualTo(2_000_000);
    assertThatThrownBy(() -> plan(items(20, 600, "kafka: { max.request.size: 50000 }")))
        .hasMessageContaining("reservoir");
  }

  /** A tree of 2^20 windows keeps twenty nodes of exact and noisy counts for every category. */
  @Test
  void shouldRefuseRunningCountsOfTooManyCategories() {
    String yaml =
        """
        pipeline: p
        input: { topic: in, subject: ward, user: who, time: at, category: what, categories: %s }
        contributions: { per-window: 2 }
        subjects: [north]
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b, unit: user, epsilon: 9, delta: 1e-6 }
        releases:
          - count: { name: n, running: 1048575, share: { epsilon: 9, delta: 1e-6 }, windows: 2 }
        """
            .formatted(IntStream.range(0, 3000).boxed().toList());
    assertThatThrownBy(() -> plan(yaml))
        .hasMessageContaining("a row of 'running-store'")
        .hasMessageContaining("lower 'input.categories' from 3000")
        .hasMessageContaining("a smaller 'running' or 'over' of 'n'");
  }

  @Test
  void shouldRefuseNamesThatFillARow() {
    String name = "x".repeat(250);
    String yaml =
        """
        pipeline: p
        input: { topic: in, subject: ward, user: who, time: at, category: what, categories: %s }
        contributions: { per-window: 2 }
        subjects: [north]
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: b, unit: user, epsilon: 9, delta: 1e-6, period: window }
        releases:
          - count: { name: mix, share: { epsilon: 9, delta: 1e-6 } }
        """
            .formatted(IntStream.range(0, 4000).mapToObj(i -> name + i).toList());
    assertThatThrownBy(() -> plan(yaml))
        .hasMessageContaining("a row of 'meta-store'")
        .hasMessageContaining("a record of 'mix'")
        .hasMessageContaining("shorten their names");
  }

  @Test
  void shouldShowTheLargestOfEachKind() throws Exception {
    Plan plan = Plans.example("diary-taste.yaml");
    assertThat(PlanReport.text(plan))
        .contains("sizes      largest entry (journal, ")
        .contains(", limit of a Kafka record 900 KiB");
    assertThat(PlanReport.json(plan)).contains("\"largest_bytes\"").contains("\"limit\" : 921600");
  }
}
