// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
  private static final String PLACE = "java.io.tmpdir";

  @TempDir Path folder;

  private final String before = System.getProperty(PLACE);

  @AfterEach
  void back() {
    System.setProperty(PLACE, before);
  }

  @Test
  void shouldMakeThePlaceOfTemporaryFilesOnANewVolume() throws Exception {
    Path place = folder.resolve("volume").resolve("tmp");
    System.setProperty(PLACE, place.toString());
    TemporaryFolder.makePlace();
    TemporaryFolder.makePlace();
    try (TemporaryFolder made = TemporaryFolder.make("sfumato-")) {
      assertThat(made.path()).hasParent(place);
    }
    assertThat(place).isEmptyDirectory();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
        .isEqualTo("rwx------");
  }

  /** Ends a process that has not closed its folder. */
  static final class EndedEarly {
    private EndedEarly() {}

    public static void main(String[] arguments) throws Exception {
      TemporaryFolder made = TemporaryFolder.make("sfumato-");
      Files.writeString(made.path().resolve("raw"), "ann");
      System.out.println(made.path());
      System.exit(0);
    }
  }

  @Test
  void shouldDeleteItWhereASignalEndsTheProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                EndedEarly.class.getName())
            .redirectErrorStream(true)
            .start();
    String made = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(made).isZero();
    assertThat(made).startsWith(folder.toString());
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void shouldSayWhereItCannotMakeOne() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    Path place = file.resolve("tmp");
    System.setProperty(PLACE, place.toString());
    TemporaryFolder.makePlace();
    assertThatThrownBy(() -> TemporaryFolder.make("sfumato-"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("cannot make a temporary folder in " + place)
        .hasMessageContaining("TMPDIR=");
  }
}
