// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build's rarer commands, as CONTRIBUTING.md gives them, on a copy of the sources. */
@Tag("release")
class ProfilesIT {
  @TempDir static Path folder;

  private static Path copy;

  @BeforeAll
  static void copySources() throws Exception {
    copy = folder.resolve("copy");
    SecondBuild.copySources(copy);
  }

  @Test
  void shouldMakeTheArtifactsOfARelease() throws Exception {
    SecondBuild.run(copy, "mvn", "-B", "-ntp", "-q", "-Prelease", "-DskipTests", "package");
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
    assertThat(SecondBuild.run(copy, "mvn", "-B", "-ntp", "-Pbench", "-Djmh.arguments=-l"))
        .contains("io.sfumato.jmh.DrawBenchmark.");
  }

  @Test
  void shouldSayWhichMutantsOfAClassLive() throws Exception {
    assertThat(SecondBuild.run(copy, "src/build/mutants", "mechanism:SparseSums"))
        .containsPattern("\\d+ of \\d+ mutants noticed \\(\\d+\\.\\d%\\), \\d+ alive");
  }
}
