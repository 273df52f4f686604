// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("deep")
class PopulationExperimentTest {
  @TempDir Path folder;

  private void write(String name, String header, String row) throws Exception {
    Path file = Files.createDirectories(folder.resolve("events")).resolve(name + ".csv.gz");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      out.write(header + "\n");
      for (int i = 0; i < 600; i++) {
        out.write(row.formatted(i % 60, i % 24) + (i % 3 == 0 ? "33" : "Main") + "\n");
      }
      out.write(row.formatted(1, 1).replace("2015", "not a time") + "33\n");
    }
  }

  /** By stream, method and epsilon: the line's numbers. */
  private Map<String, double[]> table(String name) throws Exception {
    Map<String, double[]> table = new HashMap<>();
    List<String> lines = Files.readAllLines(folder.resolve("out").resolve(name));
    for (String line : lines.subList(1, lines.size())) {
      // Commas within quotes are no ends of cells.
      String[] cells = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
      assertThat(cells).hasSize(lines.get(0).split(",").length);
      table.put(
          (cells[0] + "/" + cells[1] + "/" + cells[2]).replace("\"", ""),
          java.util.Arrays.stream(cells, 3, cells.length - 1)
              .mapToDouble(Double::parseDouble)
              .toArray());
    }
    return table;
  }

  @Test
  void comparesEveryMethodOnEqualTerms() throws Exception {
    write("uci_diabetes_events", "patient,timestamp,code", "p%d,2015-09-12T%02d:00:00Z,");
    write("wikipedia_edits_20150912", "user,time,namespace", "u%d,2015-09-12T%02d:00:00Z,");
    PopulationExperiment experiment =
        new PopulationExperiment(folder, folder.resolve("out"), List.of(1.0, 4.0), 10);
    int[] steps = new int[1];
    assertThat(experiment.run(() -> steps[0]++)).hasSize(1 + 2 * (7 + 6) * 2);
    assertThat((long) steps[0]).isEqualTo(experiment.steps());
    assertThat(folder.resolve("out/population.png")).isNotEmptyFile();
    Map<String, double[]> table = table("population.csv");
    String stream = "diary, weeks, unit record/";
    double laplace = table.get(stream + "discrete laplace/1.0")[0];
    double told = table.get(stream + "randomised response/1.0")[0];
    double paper = table.get(stream + "dirichlet paper/1.0")[0];
    double exact = table.get(stream + "dirichlet exact/1.0")[0];
    assertThat(laplace).as("600 records, one of which is protected").isLessThan(told);
    assertThat(exact).isLessThan(paper);
    assertThat(table.get(stream + "discrete laplace/4.0")[0]).isLessThan(laplace);
    assertThat(table.get(stream + "discrete laplace/1.0")[4]).as("coverage").isGreaterThan(0.85);
    assertThat(table).doesNotContainKey("diary, weeks, unit user/dirichlet paper/1.0");
  }

  @Test
  void saysWhichFileIsMissing() {
    assertThatThrownBy(
            () -> new PopulationExperiment(folder, folder, List.of(1.0), 1).run(() -> {}))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("uci_diabetes_events.csv.gz");
  }

  /** Seeds are fixed; 400 runs leave the measured error some percent of chance. */
  @Test
  void runningCountsErrAsTheTheorySays() throws Exception {
    new RunningCountExperiment(folder.resolve("out"), 400, 256).run(() -> {});
    List<String> lines = Files.readAllLines(folder.resolve("out/running.csv"));
    assertThat(lines).hasSize(1 + 2 * (8 + 4));
    for (String line : lines.subList(1, lines.size())) {
      double[] cells =
          Arrays.stream(line.replaceAll("gaussian|laplace", "0").split(","))
              .mapToDouble(Double::parseDouble)
              .toArray();
      double own = cells[10];
      if (line.contains("gaussian")) {
        double rows = cells[3];
        double theory = cells[4];
        assertThat(rows).as(line).isCloseTo(theory, within(0.15 * theory));
        assertThat(rows).as(line).isLessThan(1.15 * own).isLessThan(1.15 * cells[8]);
        if (line.startsWith("256,1,")) {
          assertThat(rows).isLessThan(11.8);
          assertThat(own).as("independent windows are worse by far").isGreaterThan(4 * rows);
          assertThat(cells[6]).as("without an end").isLessThan(1.3 * rows);
        }
      } else {
        assertThat(cells[3]).isNaN();
      }
    }
  }
}
