// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.PipelineFileException;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which outputs a ledger that is carried over leaves behind. */
class BeginsAnewTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], values: [x] }
      contributions: { per-window: 2, subjects: 2 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-01-05 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: window }
      releases:
        - count: { name: counts%s, share: { epsilon: 1, delta: 3e-7 } }
        - mean: { name: means, value: x, bounds: [0, 1]%s, share: { epsilon: 1, delta: 3e-7 } }
        - histogram: { name: mix, method: best%s, share: { epsilon: 1, delta: 4e-7 } }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      quoteCharacter = '"',
      value = {
        "\"\" | \"\" | \"\" | none",
        "\", running: 365\" | \"\" | \"\" | sums over windows (counts) begin anew",
        "\"\" | \", over: 7\" | \"\" | sums over windows (means) begin anew",
        "\", running: forever\" | \", running: 20, over: 7\" | \"\""
            + " | sums over windows (counts, means) begin anew",
        "\", post-processing: history\" | \"\" | \", post-processing: history\""
            + " | what was learned from earlier outputs (counts, mix) begins anew",
        "\", over: 2\" | \"\" | \", post-processing: history\""
            + " | sums over windows (counts) and what was learned from earlier outputs (mix) begin anew"
      })
  void shouldNameOutputsThatBeginAnew(String counts, String means, String mix, String said)
      throws PipelineFileException {
    assertThat(BeginsAnew.of(PipelineFile.parse("test.yaml", FILE.formatted(counts, means, mix))))
        .isEqualTo(
            Optional.ofNullable(said)
                .map(
                    words ->
                        "a ledger carries over what was charged and nothing else: "
                            + words
                            + ", from nothing (docs/guides/moving-sums.md)"));
  }
}
