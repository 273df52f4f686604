// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The sources print nowhere but where text from elsewhere is made visible. */
class RawPrintsTest {
  /** Without blanks, so that it does not matter how lines are broken. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (Path main : Places.main()) {
      for (Path file : Places.java(List.of(main))) {
        sources.put(
            main.resolve("io/sfumato").relativize(file).toString(),
            Files.readString(file).replaceAll("\\s+", ""));
      }
    }
    return sources;
  }

  private static int count(String text, String pattern) {
    return (int) Pattern.compile(pattern).matcher(text).results().count();
  }

  @Test
  void shouldGuardTheStreamsBeforeAnyCommandRuns() throws IOException {
    assertThat(sources().get("cli/Main.java"))
        .containsSubsequence("Terminal.guard();", "command.execute(arguments)");
  }

  @Test
  void shouldPrintOfCommandsOnlyThroughTheTerminal() throws IOException {
    sources()
        .forEach(
            (file, source) ->
                assertThat(count(source, "\\.get(Out|Err)\\(\\)"))
                    .as(file)
                    .isEqualTo(
                        file.equals("cli/Main.java")
                            ? count(source, "command\\.get(Out|Err)\\(\\)")
                            : count(
                                source,
                                "Terminal\\.over\\(spec\\.commandLine\\(\\)\\.get(Out|Err)\\(\\)\\)")));
  }

  /** Who moves the cursor gets the raw streams; they are few, and each shows names made visible. */
  @Test
  void shouldDrawInFewPlaces() throws IOException {
    sources()
        .forEach(
            (file, source) -> {
              if (!file.startsWith("console/") && !file.equals("cli/JsonOrText.java")) {
                assertThat(count(source, "Terminal\\.for(Progress|Drawing)\\(\\)"))
                    .as(file)
                    .isEqualTo(
                        count(
                            source, "new(Progress\\(|Bench\\(scope,)Terminal\\.forProgress\\(\\)"));
              }
              if (!file.startsWith("console/") && !file.equals("demo/DemoView.java")) {
                assertThat(source).as(file).doesNotContain("\\u001b", "\\033");
              }
              if (!file.startsWith("console/")) {
                assertThat(source)
                    .as(file)
                    .doesNotContain("FileDescriptor.out", "FileDescriptor.err", "System.setOut(")
                    .doesNotContain("System.setErr(", ".printStackTrace()");
              }
            });
  }
}
