// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.cli.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Experiments, as a user types them. */
class ExperimentCommandsTest {
  private CommandResult result;

  private int run(String arguments) {
    result = CommandResult.of(arguments.split(" "));
    return result.code();
  }

  /** The whole of section 4.2, ten seeds: private errors at or below the paper's 4.12 and 4.05. */
  @Tag("deep")
  @Test
  void tuberculosisIsReproduced(@TempDir Path folder) throws Exception {
    assertThat(run("experiment tuberculosis --out " + folder)).as(result.err()).isZero();
    assertThat(folder.resolve("tuberculosis.png")).isNotEmptyFile();
    List<String> rows = Files.readAllLines(folder.resolve("tuberculosis.csv"));
    assertThat(error(rows, "soft without privacy, threshold 20")).isCloseTo(3.10, within(0.3));
    for (int threshold : new int[] {20, 40, 80}) {
      assertThat(error(rows, "soft, exact, threshold " + threshold)).isLessThan(4.05);
    }
  }

  private static double error(List<String> rows, String method) {
    String start = "\"" + method + "\",";
    String row = rows.stream().filter(r -> r.startsWith(start)).findFirst().orElseThrow();
    return Double.parseDouble(row.substring(start.length()).split(",")[0]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "experiment naive-bayes --data . --out target/x --datasets ../Iris|allowed is NAME of"
            + " DIR/NAME.csv.gz",
        "experiment naive-bayes --data . --out target/x --delta 0|delta must be above 0",
        "experiment naive-bayes --data . --out target/x --delta 1e-5 --reference .|leave out"
            + " --delta"
      })
  void badArgumentsNameTheirRange(String arguments, String message) {
    assertThat(run(arguments)).isEqualTo(2);
    assertThat(result.err()).contains(message);
  }

  @Test
  void missingDataIsOneLine(@TempDir Path folder) {
    assertThat(run("experiment bayesian-networks --data " + folder + " --out " + folder))
        .isEqualTo(3);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err())
        .contains(
            "Adult.csv.gz: no such file; --data names the folder that has it; it has no data set");
  }

  @Test
  void missingEventsAreOneLineToo(@TempDir Path folder) {
    assertThat(run("experiment numbers --quick --data " + folder + " --out " + folder))
        .isEqualTo(3);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).contains("uci_diabetes_events.csv.gz: no such file; --data names");
  }
}
