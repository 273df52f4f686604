// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ops.Metric;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.RefusalMeaning;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The reference says what the program declares. After a change that is meant, {@code
 * -Dsfumato.golden=write} writes the pages.
 */
class ReferenceTest {
  private static final Path FOLDER = Path.of("docs/reference");

  /** Files that register metrics: the declarations alone. */
  private static final Pattern BUILDER =
      Pattern.compile(
          "\\b(?:Gauge|Counter|FunctionCounter|Timer|DistributionSummary)\\s*\\.builder");

  private static void check(String page, String text) throws IOException {
    Path kept = FOLDER.resolve(page);
    if ("write".equals(System.getProperty("sfumato.golden"))) {
      Files.createDirectories(FOLDER);
      Files.writeString(kept, text);
    }
    assertThat(text).as(page).isEqualTo(Files.readString(kept));
  }

  @Test
  void shouldListEachCommand() throws IOException {
    check("commands.md", CommandsPage.text());
  }

  @Test
  void shouldListEachFieldOfEachRecord() throws IOException {
    assertThat(OutputsPage.ungrouped()).as("records without a group").isEmpty();
    check("outputs.md", OutputsPage.text());
  }

  @Test
  void shouldListEachColumnOfRows() throws IOException {
    check("rows.md", RowsPage.text());
  }

  @Test
  void shouldListEachMetric() throws IOException {
    check("metrics.md", MetricsPage.text());
  }

  @Test
  void shouldListEachCode() throws IOException {
    check("codes.md", CodesPage.text());
  }

  @Test
  void shouldExplainEachRefusalInTheOrderOfTheSchema() {
    assertThat(Stream.of(RefusalMeaning.values()).map(Enum::name))
        .containsExactlyElementsOf(Stream.of(RefusalCode.values()).map(Enum::name).toList());
  }

  @Test
  void shouldRegisterMetricsOnlyWhereTheyAreDeclared() {
    assertThat(sources(BUILDER)).containsExactly("Metric.java");
  }

  @ParameterizedTest
  @EnumSource
  void shouldUseEachMetricThatIsDeclared(Metric metric) {
    assertThat(sources(Pattern.compile("\\bMetric\\." + metric.name() + "\\b"))).isNotEmpty();
  }

  /** Names of the program's sources in which a pattern occurs. */
  private static Set<String> sources(Pattern pattern) {
    List<Path> sources = Places.java(Places.main());
    return sources.stream()
        .filter(file -> pattern.matcher(read(file)).find())
        .map(file -> file.getFileName().toString())
        .collect(Collectors.toSet());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
