// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of cron and many containers have the locale C, and names have other letters all the same.
 */
@Tag("release")
class PlainLocaleIT {
  @TempDir Path folder;

  private byte[] printed(String locale, Path file) throws Exception {
    Path out = folder.resolve("out-" + locale);
    ProcessBuilder builder =
        new ProcessBuilder("bin/sfumato", "report", file.toString())
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("err-" + locale).toFile());
    List.of("LC_ALL", "LC_CTYPE", "LANG").forEach(builder.environment()::remove);
    if (!locale.isEmpty()) {
      builder.environment().put("LC_ALL", locale);
    }
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(() -> "with the locale '" + locale + "'").isZero();
    return Files.readAllBytes(out);
  }

  @Test
  void shouldTakeAndPrintEveryLetter() throws Exception {
    Path file = folder.resolve("places.yaml");
    Files.writeString(
        file,
        Files.readString(Path.of("topology", "diary.yaml"))
            .replaceFirst("categories: .*", "categories: [Zürich, fall]"));
    byte[] sheet = printed("C.UTF-8", file);
    assertThat(new String(sheet, StandardCharsets.UTF_8)).contains("Zürich", "Rényi");
    assertThat(printed("C", file)).isEqualTo(sheet);
    assertThat(printed("", file)).isEqualTo(sheet);
  }
}
