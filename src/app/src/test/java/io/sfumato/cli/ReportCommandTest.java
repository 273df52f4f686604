// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final String FILE =
      """
      pipeline: visits
      version: 1
      input:
        topic: visits
        subject: shop
        user: person
        time: at
        category: kind
        categories: [a, b]
      contributions: { per-window: 1, subjects: 1 }
      subjects: [north]
      window: { size: 1d, grace: 1h, clock: ticks, begin: 2026-11-02 }
      budget: { name: visits, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: per-day, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
      """;

  @TempDir private Path folder;
  private CommandResult result;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("visits.yaml"), FILE);
  }

  private int run(String... arguments) {
    result = CommandResult.of(arguments);
    return result.code();
  }

  @Test
  void shouldWriteWhatItPrints() throws IOException {
    assertThat(run("report", file.toString())).isZero();
    String printed = result.out();
    Path sheet = folder.resolve("sheet.md");
    assertThat(run("report", file.toString(), "--out", sheet.toString())).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(printed)
        .startsWith("# Privacy report: visits, version 1\n")
        .isEqualTo(Files.readString(sheet))
        .as("nothing of the machine")
        .doesNotContain(folder.toString());
  }

  /** A name may turn the direction of a line, or a terminal red: in a file as little as there. */
  @Test
  void shouldWriteWhatItPrintsOfNamesThatNobodySees() throws IOException {
    Files.writeString(file, FILE.replace("user: person", "user: \"per\\u202Eson\\e[31m\""));
    Path sheet = folder.resolve("sheet.html");
    assertThat(run("report", file.toString(), "-o", "html")).isZero();
    String printed = result.out();
    assertThat(run("report", file.toString(), "-o", "html", "--out", sheet.toString())).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(Files.readString(sheet))
        .isEqualTo(printed)
        .contains("per\\u202eson\\u001b[31m")
        .doesNotContain("\u202E", "\u001B");
  }

  /** Whoever signs copies them: those that need no cluster are run, the others are understood. */
  @Test
  void shouldTellCommandsThatRun() {
    assertThat(run("report", file.toString())).isZero();
    assertThat(result.err()).isEmpty();
    List<String> commands =
        Pattern.compile("`sfumato ([^`(]+)` \\|")
            .matcher(result.out())
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(commands)
        .anyMatch(command -> command.startsWith("report"))
        .anyMatch(command -> command.startsWith("plan"))
        .anyMatch(command -> command.startsWith("audit"))
        .anyMatch(command -> command.contains("--rights User:producer"))
        .anyMatch(command -> command.startsWith("describe"));
    for (String command : commands) {
      String[] words = command.replace("visits.yaml", file.toString()).split(" ");
      if (words[0].equals("audit") || command.contains("audit.json") || command.contains("HOST")) {
        String[] alone = command.split(" > ")[0].split(" ");
        assertThatCode(() -> Main.commandLine(alone).parseArgs(alone)).doesNotThrowAnyException();
      } else {
        assertThat(run(words)).as(command).isZero();
        assertThat(result.out()).as(command).isNotBlank();
        assertThat(result.err()).as(command).isEmpty();
      }
    }
  }

  @Test
  void shouldRefuseAFileThatDoesNotPlanAsPlanDoes() throws IOException {
    Files.writeString(file, FILE.replace("share: { epsilon: 1,", "share: { epsilon: 2,"));
    assertThat(run("plan", file.toString())).isEqualTo(3);
    String plan = result.err();
    assertThat(result.out()).isEmpty();
    assertThat(run("report", file.toString())).isEqualTo(3);
    assertThat(result.err()).isEqualTo(plan).isNotEmpty();
    assertThat(result.out()).isEmpty();
  }

  @Test
  void shouldRefuseAnAuditOfSomethingElse() throws IOException {
    Path audit = folder.resolve("audit.json");
    requireRefused(audit, "there is no file");
    Files.writeString(audit, "no JSON");
    requireRefused(audit, "holds no JSON");
    Files.writeString(audit, "{\"plan\": \"another\", \"loss_ratio_max\": 0.5}");
    requireRefused(audit, "about another file");
  }

  private void requireRefused(Path audit, String reason) {
    assertThat(run("report", file.toString(), "--audit", audit.toString())).isEqualTo(2);
    assertThat(result.err().lines().filter(line -> line.startsWith("--audit: ")))
        .singleElement()
        .asString()
        .contains(reason);
    assertThat(result.out()).isEmpty();
  }
}
