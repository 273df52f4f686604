// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RosterChangeTest {
  @TempDir Path folder;

  /** No cluster is asked: the file says who decides. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "enrol|{ discover: { share: { epsilon: 1, delta: 1e-7 } } }|(discover); 'enrol'"
            + " and 'leave' are not available",
        "leave|{ discover: { share: { epsilon: 1, delta: 1e-7 } } }|its subjects are"
            + " selected privately (discover);",
        "leave|[north, south]|its subjects are fixed by the list in the file"
      })
  void shouldSayWhoDecidesWhereNobodyMayByHand(String command, String subjects, String told)
      throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("visits.yaml"),
            """
            pipeline: visits
            input: { topic: in, subject: place, user: who, time: at, category: what, categories: [a, b] }
            contributions: { per-window: 1 }
            subjects: %s
            window: { size: 1d, clock: ticks, begin: 2026-11-02 }
            budget: { name: visits, unit: user, epsilon: 2, delta: 1e-6, period: window }
            releases:
              - count: { name: n, share: { epsilon: 1, delta: 1e-7 } }
            """
                .formatted(subjects));
    CommandResult result =
        CommandResult.of(command, file.toString(), "north", "--bootstrap-servers", "none:1");
    assertThat(result.code()).isEqualTo(ExitCode.REFUSED_FILE.number());
    assertThat(result.err()).contains(told);
  }
}
