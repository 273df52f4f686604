// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
