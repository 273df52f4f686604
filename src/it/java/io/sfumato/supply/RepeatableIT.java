// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whoever builds the same sources gets the same program, byte by byte: somewhere else, at another
 * time, in another time zone and language.
 */
class RepeatableIT {
  private static final List<String> SOURCES =
      List.of("pom.xml", "LICENSE", "NOTICE", ".mvn", "schemas", "src/main");

  @TempDir Path folder;

  @Test
  void shouldBuildTheSameJarsAgain() throws Exception {
    for (String source : SOURCES) {
      copy(Path.of(source));
    }
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
                "mvn",
                "--offline",
                "--quiet",
                "--batch-mode",
                "-Dmaven.repo.local=" + System.getProperty("sfumato.repository"),
                "-Dmaven.test.skip=true",
                // Checks that this build has passed, and what is laid out beside the jars.
                "-Dspotless.check.skip=true",
                "-Denforcer.skip=true",
                "-Dlicense.skipAddThirdParty=true",
                "-Dmdep.skip=true",
                "-Dexec.skip=true",
                "package")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder
        .environment()
        .put(
            "MAVEN_OPTS",
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.timezone=Pacific/Apia"
                + " -Duser.language=tr -Duser.country=TR");
    Process build = builder.start();
    assertThat(build.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(build.exitValue()).as(() -> read(log)).isZero();
    for (String jar : List.of("sfumato.jar", "sfumato-core.jar")) {
      Path again = folder.resolve("target").resolve(jar);
      assertThat(Files.mismatch(Path.of("target", jar), again)).as(jar).isEqualTo(-1);
    }
  }

  private void copy(Path source) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = folder.resolve(file.toString());
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
