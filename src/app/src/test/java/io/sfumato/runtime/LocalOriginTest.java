// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local state of changelogs that were created again under the same names. */
class LocalOriginTest {
  @TempDir Path folder;

  private void require(Map<String, String> now) throws RefusedException {
    new LocalOrigin(folder, "app").require(now);
  }

  private Path stateOf(String application) throws IOException {
    Path task = Files.createDirectories(folder.resolve(application).resolve("0_0"));
    return Files.writeString(task.resolve("rows"), "rows");
  }

  @Test
  void shouldKeepLocalStateWhenItsChangelogsAreTheSame() throws Exception {
    Path rows = stateOf("app");
    require(Map.of("ledgers", "id-1"));
    require(Map.of("ledgers", "id-1"));
    require(Map.of("ledgers", "id-1", "of a later version", "id-2"));
    require(Map.of("ledgers", "id-1"));
    assertThat(rows).exists();
  }

  @Test
  void shouldDeleteLocalStateWhenAChangelogIsAnotherOne() throws Exception {
    Path others = stateOf("app-2");
    stateOf("app");
    require(Map.of("ledgers", "id-1", "meta", "id-2"));
    require(Map.of("ledgers", "id-1", "meta", "id-9"));
    assertThat(folder.resolve("app")).doesNotExist();
    assertThat(others).exists();
    Path again = stateOf("app");
    require(Map.of("ledgers", "id-1", "meta", "id-9"));
    assertThat(again).exists();
  }

  @Test
  void shouldRefuseAFolderThatCannotBeWritten() throws Exception {
    Files.createDirectory(folder.resolve("app.topics"));
    assertThatThrownBy(() -> require(Map.of("ledgers", "id-1")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("local state in " + folder.resolve("app"));
  }
}
