// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.experiment.TableEvents;
import io.sfumato.experiment.TableReleased;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A population's tables err as much through the whole topology as where they are drawn alone. */
class TablesOfEventsTest {
  private static final int SEEDS = 50;
  private static final int ROWS = 600;

  @TempDir Path folder;

  private Path data;

  /** Columns of 3, 5 and 10 values. */
  @BeforeEach
  void table() throws Exception {
    StringBuilder text = new StringBuilder("one,it's two,number\n");
    for (int i = 0; i < ROWS; i++) {
      text.append(i % 7 % 3).append(',').append("abcde".charAt(i * i % 11 % 5));
      text.append(',').append(i * 31 % ROWS).append('\n');
    }
    data = folder.resolve("Some.csv.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(data))) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Every record is counted where the experiment counts it. */
  @Test
  void shouldCountWhatTheExperimentCounts() throws Exception {
    double noNoise = 900_000;
    Path released = published(noNoise);
    assertThat(found(noNoise, released))
        .contains("published: 0.0 0.0 0.0")
        .anyMatch(line -> line.startsWith("experiment: 0.0 0.0 0.0"));
  }

  /**
   * Errors of 95 cells of pairs, of which at least 40 are free. That their mean square is more than
   * four times what is expected, or less than a fifth of it, has a chance below 1e-9 (chi-square);
   * what is expected is known within some percent. The key is fixed.
   */
  @Test
  void shouldErrAsMuchAsTheExperimentDoes() throws Exception {
    Path released = published(1);
    List<String> found = found(1, released);
    double expected = pairs(found, "experiment: ");
    assertThat(expected).isGreaterThan(5);
    assertThat(pairs(found, "published: ")).isBetween(expected / Math.sqrt(5), 2 * expected);
    Files.write(released, Files.readAllLines(released).subList(0, 0));
    assertThatThrownBy(() -> found(1, released))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("holds not all tables of Some");
  }

  private List<String> found(double epsilon, Path released) throws ExperimentException {
    return new TableReleased(Optional.of(data), epsilon, released, SEEDS).run(() -> {});
  }

  private static double pairs(List<String> found, String which) {
    String line = found.stream().filter(told -> told.startsWith(which)).findFirst().orElseThrow();
    return Double.parseDouble(line.substring(which.length()).split("[ ;]+")[2]);
  }

  /** What the pipeline that the experiment writes publishes of the events that it writes. */
  private Path published(double epsilon) throws Exception {
    new TableEvents(folder, Optional.of(data), epsilon).run(() -> {});
    List<String> events = Files.readAllLines(folder.resolve("some-events.csv"));
    assertThat(events).hasSize(1 + ROWS);
    List<String> published = new ArrayList<>();
    String yaml = Files.readString(folder.resolve("some.yaml")).replace("topic: some", "topic: in");
    try (Fixture pipeline = new Fixture(yaml, folder.resolve("state"))) {
      List<String> columns = Arrays.asList(events.get(0).split(","));
      for (String event : events.subList(1, events.size())) {
        String[] values = event.split(",");
        ObjectNode json = new ObjectMapper().createObjectNode();
        for (int i = 0; i < values.length; i++) {
          json.put(columns.get(i), values[i]);
        }
        pipeline.send(null, json.toString().getBytes(StandardCharsets.UTF_8));
      }
      pipeline.tick(2 * 3600);
      pipeline
          .records("some-tables")
          .forEach(record -> published.add(new String(record.value(), StandardCharsets.UTF_8)));
    }
    return Files.write(folder.resolve("released.json"), published);
  }
}
