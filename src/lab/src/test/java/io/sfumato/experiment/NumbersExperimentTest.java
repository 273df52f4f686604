// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumbersExperimentTest {
  @TempDir Path folder;

  private void write(String place, String header, String row) throws Exception {
    Path file = folder.resolve(place + ".csv.gz");
    Files.createDirectories(file.getParent());
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      out.write(header + "\n");
      for (int i = 0; i < 200; i++) {
        out.write(row.formatted(i % 20, i % 90) + "\n");
      }
    }
  }

  private void writeAll() throws Exception {
    write("events/uci_diabetes_events", "patient,code,value_raw", "p%d,58,%d");
    write("events/wikipedia_edits_20150912", "user,delta", "u%d,-%d");
    write("uci/Adult", "age,capital-gain,hours-per-week", "3%d,17,%d");
    write("uci/Bank", "age,duration", "3%d,%d");
  }

  @Test
  void shouldCompareEveryMethodOnEveryColumnAndLeaveATableAndAFigure() throws Exception {
    writeAll();
    NumbersExperiment experiment =
        new NumbersExperiment(folder, folder.resolve("out"), List.of(1.0), 3);
    int[] steps = new int[1];
    List<String> found = experiment.run(() -> steps[0]++);
    assertThat((long) steps[0]).isEqualTo(experiment.steps());
    assertThat(folder.resolve("out/numbers.png")).isNotEmptyFile();
    assertThat(found).anyMatch(line -> line.startsWith("diabetes, glucose (mg/dl)"));
    List<String> lines = Files.readAllLines(folder.resolve("out/numbers.csv"));
    assertThat(lines.get(0))
        .isEqualTo(
            "data,measure,users,records,statistic,method,epsilon,rmse,rmse_of_range,rank_error,"
                + "over_google,coverage,width_of_range");
    // 11 data sets: 8 methods of sums and means, 6 of variances, 5 of four quantiles; 4 sizes of
    // 9 intervals.
    assertThat(lines).hasSize(1 + 11 * (8 + 8 + 6 + 4 * 5) + 4 * 9);
    assertThat(lines)
        .as("20 users with 8 of 10 measurements each")
        .anyMatch(
            line ->
                line.startsWith("\"diabetes, glucose\",mg/dl,20,160,mean,\"ours 2, laplace\",1.0"));
    assertThat(lines).noneMatch(line -> line.contains("NaN"));
  }

  @Test
  void shouldSayWhichFileIsMissing() {
    assertThatThrownBy(() -> new NumbersExperiment(folder, folder, List.of(1.0), 1).run(() -> {}))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("uci_diabetes_events.csv.gz");
  }

  @Test
  void shouldTakeNoWordForANumber() throws Exception {
    writeAll();
    write("events/uci_diabetes_events", "patient,code,value_raw", "p%d,58,high%d");
    assertThat(RealAmounts.readAll(folder).get(0).all()).isEmpty();
    write("events/uci_diabetes_events", "patient,code,value_raw", "p%d,33,%d");
    assertThat(RealAmounts.readAll(folder).get(0).all()).as("insulin").isEmpty();
    assertThat(RealAmounts.readAll(folder)).hasSize(RealAmounts.number());
  }
}
