// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretCommandTest {
  @TempDir Path folder;

  @Test
  void shouldSayThatThereIsNoSuchFolderAndHowToMakeIt() {
    Path missing = folder.resolve("etc").resolve("sfumato");
    CommandResult result = CommandResult.of("secret", missing.resolve("noise.key").toString());
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.err())
        .contains("there is no folder " + missing + "; make it: mkdir -p " + missing)
        .doesNotContain(".part");
    assertThat(missing).doesNotExist();
    assertThat(Files.exists(missing.getParent())).isFalse();
  }
}
