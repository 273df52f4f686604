// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.ForeignRows;
import io.sfumato.testkit.ForeignRows.Row;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every test of others is run, nearly run, or left out for a reason; docs/research/foreign.md says
 * so.
 */
class ForeignListsTest {
  private static final Path DOCUMENT = Path.of("docs/research/foreign.md");

  private static Set<String> tests() {
    return Places.java(Places.tests()).stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> name.endsWith("Test.java"))
        .map(name -> name.replace(".java", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static List<Path> files() {
    return ForeignRows.files();
  }

  @ParameterizedTest
  @MethodSource("files")
  void shouldSayWhoseTheyAre(Path file) {
    Map<String, String> head = ForeignRows.head(file);
    assertThat(head).containsKeys("repository", "file", "commit", "licence", "note");
    assertThat(head.values()).noneMatch(String::isBlank);
  }

  @ParameterizedTest
  @CsvSource({
    "google-accounting-tests.txt, 29, 55, 51",
    "jax-privacy-tests.txt, 12, 64, 69",
    "opendp-sampler-tests.txt, 20, 3, 7"
  })
  void shouldAccountForEveryTest(String list, long run, long near, long not) throws IOException {
    List<Row> rows = ForeignRows.of(list);
    Map<String, Long> states =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> row.text("state"), TreeMap::new, Collectors.counting()));
    assertThat(states).isEqualTo(Map.of("run", run, "near", near, "not", not));
    Set<String> tests = tests();
    for (Row row : rows) {
      assertThat(row.text("why")).as(row.toString()).isNotBlank();
      if (row.text("state").equals("not")) {
        assertThat(row.text("by")).as(row.toString()).isEqualTo("-");
      } else {
        assertThat(tests).as(row.toString()).contains(row.text("by"));
      }
    }
    assertThat(Files.readString(DOCUMENT))
        .contains("| %d | %d | %d | %d |".formatted(rows.size(), run, near, not));
  }

  @Test
  void shouldFindEveryClassOfFaults() throws IOException {
    List<Row> rows = ForeignRows.of("fault-classes.txt");
    assertThat(rows).hasSize(8);
    Set<String> tests = tests();
    String document = Files.readString(DOCUMENT);
    for (Row row : rows) {
      List<String> named = List.of(row.text("tests").split(" "));
      assertThat(tests).containsAll(named);
      String cells = named.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
      assertThat(document).contains("| " + cells + " |");
    }
  }
}
