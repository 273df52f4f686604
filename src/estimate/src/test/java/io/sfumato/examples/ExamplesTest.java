// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.partitionselection.RunningName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of the documents and of the Javadoc run, and are what they show. */
class ExamplesTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("^ *// example: (.+?)\n(.*?)^ *// end$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern IN_MARKDOWN =
      Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /** CoreLibraryIT builds and runs it as a separate project. */
  private static final Path WHOLE_PROGRAM =
      Path.of("src/checks/src/it/projects/core-only/src/main/java/org/example/VisitorCounts.java");

  private static final Pattern IN_JAVADOC =
      Pattern.compile("<pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);

  private static final Pattern IN_OVERVIEW =
      Pattern.compile("<pre>\\{@code\n(.*?)\n}</pre>", Pattern.DOTALL);

  @Test
  void aHistogramIsPlannedChargedAndDrawn() {
    Distribution released = HistogramExample.run();
    assertThat(released.categories()).isEqualTo(4);
  }

  /** 9,120 of 19,349 minutes; the noise of a fixed seed. */
  @Test
  void weightsAreShares() {
    assertThat(WeightExample.run().share(0)).isBetween(0.4, 0.55);
  }

  /** 8,236 visitors; the noise of a fixed seed. */
  @Test
  void aCountRuns() {
    assertThat(CountExample.run().of(0)).isBetween(8236L - 600, 8236L + 600);
  }

  /** 210 records, and noise of a fixed seed. */
  @Test
  void aNameIsFound() {
    RunningName.Public found = (RunningName.Public) NamesExample.run();
    assertThat(Math.scalb((double) found.told(), -20)).isBetween(210.0 - 60, 210.0 + 60);
  }

  /** Half of the values are below 90; the noise of a fixed seed. */
  @Test
  void quantilesAreEstimated() {
    assertThat(QuantileExample.run()[0].value()).isBetween(88.0, 92.0);
  }

  /** 10,000 records; the noise of a fixed seed. */
  @Test
  void tablesAgree() {
    assertThat(TablesExample.run().counts()[0]).isBetween(10_000L - 100, 10_000L + 100);
  }

  /** 34.5 minutes; the noise of a fixed seed. */
  @Test
  void aMeanIsReleased() {
    assertThat(MeanExample.run().value()).isBetween(34.5 - 3, 34.5 + 3);
  }

  @Test
  void lossesAddUp() {
    assertThat(AccountingExample.run()).isBetween(2.0, 3.5);
  }

  private static List<String> examples() throws IOException {
    List<String> examples = new ArrayList<>();
    for (String name :
        List.of(
            "HistogramExample",
            "WeightExample",
            "CountExample",
            "NamesExample",
            "QuantileExample",
            "TablesExample",
            "MeanExample",
            "AccountingExample")) {
      Path file = Path.of("src/estimate/src/test/java/io/sfumato/examples", name + ".java");
      Matcher example = EXAMPLE.matcher(Files.readString(file));
      assertThat(example.find()).as(name).isTrue();
      examples.add(plain(example.group(2)));
    }
    String program = Files.readString(WHOLE_PROGRAM);
    examples.add(plain(program.substring(program.indexOf("import "))));
    return examples;
  }

  /** Without indentation, which is the documents' own, and imports, which LibraryIT needs. */
  private static String plain(String code) {
    return code.lines()
        .map(line -> line.strip().replaceFirst("^\\* ?", "").strip())
        .filter(line -> !line.isEmpty() && !line.startsWith("import "))
        .collect(Collectors.joining("\n"));
  }

  /** The first page of the Javadoc shows the program without its imports and its class. */
  @Test
  void shouldShowTheWholeProgramsBodyOnTheFirstPageOfTheJavadoc() throws IOException {
    Path overview = Path.of("src/core/src/main/javadoc/overview.html");
    Matcher shown = IN_OVERVIEW.matcher(Files.readString(overview));
    assertThat(shown.find()).as("%s has an example", overview).isTrue();
    String program = Files.readString(WHOLE_PROGRAM);
    int main = program.indexOf("{\n", program.indexOf("void main("));
    String body = program.substring(main + 2, program.lastIndexOf("\n  }\n}"));
    assertThat(shown.group(1).strip()).isEqualTo(body.stripIndent().strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "docs/library.md",
        "src/core/src/main/java/io/sfumato/mechanism/package-info.java",
        "src/core/src/main/java/io/sfumato/mechanism/count/package-info.java",
        "src/core/src/main/java/io/sfumato/mechanism/quantile/package-info.java",
        "src/core/src/main/java/io/sfumato/mechanism/tables/package-info.java",
        "src/core/src/main/java/io/sfumato/mechanism/moments/package-info.java",
        "src/core/src/main/java/io/sfumato/accounting/package-info.java"
      })
  void whatIsShownIsWhatRuns(String file) throws IOException {
    String text = Files.readString(Path.of(file));
    Matcher shown = (file.endsWith(".md") ? IN_MARKDOWN : IN_JAVADOC).matcher(text);
    int found = 0;
    while (shown.find()) {
      assertThat(examples()).as(file).contains(plain(shown.group(1)));
      found++;
    }
    assertThat(found).as(file).isPositive();
  }
}
