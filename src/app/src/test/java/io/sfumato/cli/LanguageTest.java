// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whoever's machine it is, a command prints the same bytes: others read its numbers. */
class LanguageTest {
  /** Depends on how fast the machine is at this moment. */
  private static final Pattern WARNING_OF_TIME = Pattern.compile("(?m)^  time  .*\\n\\R");

  private static String plan(String... options) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "plan",
            "topology/diary.yaml"));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return WARNING_OF_TIME.matcher(text).replaceAll("");
  }

  /** A comma for a point, a point for a comma; digits that are not those of programs. */
  @Test
  void plansReadTheSameEverywhere() throws Exception {
    String plan = plan("-Duser.language=en", "-Duser.country=US");
    assertThat(plan).containsPattern("\\d\\.\\d").containsPattern("\\d,\\d{3}");
    assertThat(plan("-Duser.language=de", "-Duser.country=DE")).isEqualTo(plan);
    assertThat(plan("-Duser.language=ar", "-Duser.country=EG")).isEqualTo(plan);
  }
}
