// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each word of the project has the field's term, one short sentence, and a class. */
class GlossaryTest {
  private static final Path GLOSSARY = Path.of("docs", "glossary.md");
  private static final int MOST_WORDS = 25;

  private record Row(String word, String term, String meaning, String type) {}

  private static List<Row> rows() throws IOException {
    return Pattern.compile(
            "^\\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\| `(\\w+)` \\|$", Pattern.MULTILINE)
        .matcher(Files.readString(GLOSSARY))
        .results()
        .map(row -> new Row(row.group(1), row.group(2), row.group(3), row.group(4)))
        .toList();
  }

  @Test
  void shouldListWordsOnceAndInOrder() throws IOException {
    List<String> words = rows().stream().map(Row::word).toList();
    assertThat(words).hasSizeGreaterThan(30).isSorted().doesNotHaveDuplicates();
    assertThat(Files.readString(GLOSSARY).lines().filter(line -> line.startsWith("| ")))
        .as("a heading, and rows alone")
        .hasSize(words.size() + 1);
  }

  @Test
  void shouldExplainEachWordInOneShortSentence() throws IOException {
    assertThat(rows())
        .allSatisfy(
            row -> {
              assertThat(row.meaning()).endsWith(".").doesNotContain(". ");
              assertThat(row.meaning().split(" ")).hasSizeLessThanOrEqualTo(MOST_WORDS);
            });
  }

  @Test
  void shouldNameAClassForEachWord() throws IOException {
    Set<String> classes =
        Places.java(Places.main()).stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(classes).containsAll(rows().stream().map(Row::type).toList());
  }
}
