// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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
