// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.cli.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What commands print about the example files: a change of structure leaves every bit as it is. */
class FrozenOutputsTest {
  private static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("topology"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.substring(0, name.length() - ".yaml".length()))
          .sorted()
          .toList();
    }
  }

  private static String printed(String command, String name, String... options) {
    String[] arguments =
        Stream.concat(
                Stream.of(command, "topology/" + name + ".yaml", "-o", "json"), Stream.of(options))
            .toArray(String[]::new);
    CommandResult result = CommandResult.of(arguments);
    assertThat(result.code()).as(result.text()).isZero();
    return result.out();
  }

  @ParameterizedTest
  @MethodSource("files")
  void shouldPlanTheSameToTheLastBit(String name) {
    Golden.check("plan-" + name + ".json", ExactJson.of(printed("plan", name)));
  }

  @ParameterizedTest
  @MethodSource("files")
  void shouldReportTheSameToTheLastBit(String name) {
    Golden.check("report-" + name + ".json", ExactJson.of(printed("report", name)));
  }

  @Tag("deep")
  @ParameterizedTest
  @MethodSource("files")
  void shouldAuditTheSameToTheLastBit(String name) {
    String found =
        printed(
            "audit",
            name,
            "--neighbours",
            "8",
            "--windows",
            "4",
            "--random-logs",
            "1",
            "--draws",
            "20000");
    Golden.check("audit-" + name + ".json", ExactJson.of(found));
  }
}
