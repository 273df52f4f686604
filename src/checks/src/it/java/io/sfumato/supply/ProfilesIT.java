// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build's rarer commands, as CONTRIBUTING.md gives them, on a copy of the sources. */
@Tag("release")
class ProfilesIT {
  /** What they are made of. */
  private static final List<String> SOURCES =
      List.of(
          ".mvn",
          "bin",
          "docs",
          "schemas",
          "src",
          "topology",
          "pom.xml",
          "CHANGELOG.md",
          "CONTRIBUTING.md",
          "LICENSE",
          "LICENSES",
          "NOTICE",
          "README.md",
          "SECURITY.md");

  @TempDir static Path folder;

  private static Path copy;

  @BeforeAll
  static void copySources() throws Exception {
    copy = Files.createDirectory(folder.resolve("copy"));
    for (String part : SOURCES) {
      run(Path.of("").toAbsolutePath(), "cp", "-r", part, copy.resolve(part).toString());
    }
    run(copy, "sh", "-c", "rm -rf src/*/target");
  }

  /** Some of them download plug-ins that no other command needs. */
  private static String run(Path where, String... command) throws Exception {
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put("MAVEN_OPTS", "-Dmaven.repo.local=" + System.getProperty("sfumato.repository"));
    builder
        .environment()
        .merge("PATH", System.getProperty("sfumato.maven") + "/bin", (old, own) -> own + ":" + old);
    Process process = builder.start();
    assertThat(process.waitFor(20, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(() -> read(log)).isZero();
    return read(log);
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void shouldMakeTheArtifactsOfARelease() throws Exception {
    run(copy, "mvn", "-B", "-ntp", "-q", "-Prelease", "-DskipTests", "package");
    for (String library : List.of("core", "estimate")) {
      for (String kind : List.of("", "-sources", "-javadoc")) {
        assertThat(file("src/" + library + "/target", "sfumato-" + library, kind + ".jar"))
            .as(library + kind)
            .isNotEmptyFile();
      }
    }
    assertThat(file("target", "sfumato", ".tar.gz")).isNotEmptyFile();
    assertThat(file("target", "sfumato", ".tar.gz.sha256")).isNotEmptyFile();
  }

  private static Path file(String where, String artifact, String ending) {
    return copy.resolve(where).resolve(artifact + "-0.1.0-SNAPSHOT" + ending);
  }

  @Test
  void shouldListInnerLoops() throws Exception {
    assertThat(run(copy, "mvn", "-B", "-ntp", "-Pbench", "-Djmh.arguments=-l"))
        .contains("io.sfumato.jmh.DrawBenchmark.");
  }

  @Test
  void shouldSayWhichMutantsOfAClassLive() throws Exception {
    assertThat(run(copy, "src/build/mutants", "mechanism:Tally"))
        .containsPattern("\\d+ of \\d+ mutants noticed \\(\\d+\\.\\d%\\), \\d+ alive");
  }
}
