// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Consistent tables beside others. */
class TablesExperimentTest {
  @TempDir private Path folder;

  /**
   * Noise of one count is 4.225 at (1, 1e-6), of 16 releases four times that. Of the fixed seeds a
   * thousand pairs' cells each lie within some percent of the plan.
   */
  @Test
  void shouldCompareWithSeparateReleases() throws Exception {
    TablesExperiment experiment = new TablesExperiment(folder, Optional.empty(), 5);
    int[] steps = new int[1];
    List<String> found = experiment.run(() -> steps[0]++);
    assertThat(steps[0]).isEqualTo(experiment.steps());
    assertThat(found).hasSize(8);
    assertThat(found.get(0)).contains("20,000 people, 20,000 records, 5 columns, 16 tables");
    List<String> lines = Files.readAllLines(folder.resolve("tables.csv"));
    assertThat(lines).hasSize(1 + 6 * 4);
    double separate = pairs(lines, "one release a table");
    assertThat(separate).isCloseTo(4.225 * 4, within(1.0));
    assertThat(pairs(lines, "consistent tables")).isLessThan(0.9 * separate);
    assertThat(pairs(lines, "least squares alone"))
        .isBetween(pairs(lines, "consistent tables"), separate);
    // A cell of a pair is the sum of 280 to 1,344 of 53,760 combinations.
    assertThat(pairs(lines, "\"all combinations, added up\""))
        .isBetween(4.225 * Math.sqrt(280), 4.225 * Math.sqrt(1344));
    assertThat(folder.resolve("tables.png")).isNotEmptyFile();
  }

  /** At epsilon 1. */
  private static double pairs(List<String> lines, String method) {
    String row =
        lines.stream()
            .filter(line -> line.startsWith("made up," + method + ",1.0,"))
            .findFirst()
            .orElseThrow();
    return Double.parseDouble(row.substring(row.indexOf(",1.0,") + 1).split(",")[5]);
  }

  @Test
  void shouldReadATable() throws Exception {
    Path file = folder.resolve("Some.csv.gz");
    StringBuilder text = new StringBuilder("one,same,two,number\n");
    for (int i = 0; i < 200; i++) {
      text.append(i % 3).append(",x,").append("abcde".charAt(i % 5)).append(',').append(i);
      text.append('\n');
    }
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    TablePopulation people = TablePopulation.of(file);
    assertThat(people.name()).isEqualTo("Some");
    assertThat(people.records()).isEqualTo(200);
    assertThat(people.tables().columns()).isEqualTo(3);
    assertThat(people.tables().values(0)).isEqualTo(3);
    assertThat(people.tables().values(1)).isEqualTo(5);
    assertThat(people.tables().values(2)).isEqualTo(10);
    assertThat(people.exact().values()[people.tables().start(1)]).isEqualTo(67);
  }

  /** The first four edits of each editor, by language, namespace, size and flags. */
  @Test
  void shouldReadEditsOfWikipedia() throws Exception {
    StringBuilder text =
        new StringBuilder(
            "user,channel,namespace,isAnonymous,isRobot,isMinor,isNew,isUnpatrolled,delta\n");
    for (int i = 0; i < 30; i++) {
      text.append(i < 20 ? "busy" : "u" + i)
          .append(i % 2 == 0 ? ",#de.wikipedia" : ",#xx.wikipedia")
          .append(i % 3 == 0 ? ",User talk" : ",Portal")
          .append(",0,1,0,0,0,")
          .append(i == 29 ? "" : Integer.toString(i - 1))
          .append('\n');
    }
    Path events = Files.createDirectory(folder.resolve("events"));
    try (GZIPOutputStream out =
        new GZIPOutputStream(
            Files.newOutputStream(events.resolve("wikipedia_edits_20150912.csv.gz")))) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    TablePopulation people = WikipediaTables.read(events);
    assertThat(people.people()).hasSize(11);
    assertThat(people.most()).isEqualTo(4);
    long[] cells = people.exact().values();
    assertThat(cells[0]).as("4 of the busy one, 10 of others").isEqualTo(14);
    int languages = people.tables().start(people.tables().ofColumn(0));
    assertThat(cells[languages + 1]).as("de").isEqualTo(7);
    assertThat(cells[languages + 15]).as("others").isEqualTo(7);
    int namespaces = people.tables().start(people.tables().ofColumn(1));
    assertThat(cells[namespaces + 3]).as("User talk: rows 0, 3, 21, 24, 27").isEqualTo(5);
    int sizes = people.tables().start(people.tables().ofColumn(2));
    assertThat(cells[sizes + 3]).as("-1, 0, and nothing said").isEqualTo(3);
    assertThat(cells[sizes + 4]).as("1 and 2").isEqualTo(2);
    assertThat(cells[sizes + 5]).as("19 to 27").isEqualTo(9);
    int robots = people.tables().start(people.tables().ofColumn(4));
    assertThat(cells[robots + 1]).isEqualTo(14);
  }

  @Test
  void shouldRefuseWhatIsNoTable() {
    assertThatThrownBy(() -> TablePopulation.of(folder.resolve("a.csv")))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("NAME.csv.gz");
    assertThatThrownBy(() -> TablePopulation.of(folder.resolve("a.csv.gz")))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("no such file");
  }
}
