// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.TickKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tick key's file is as private as the noise secret's. */
class TickKeysTest {
  private static final TickKey KEY = NoiseSecret.random().tickKey("diary");

  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("tick.key");
  }

  private TickKey read() throws RefusedException {
    return TickKeys.find("diary", Optional.of(file), Optional.empty(), Map.of(), Optional.empty())
        .orElseThrow();
  }

  @Test
  void shouldReadWhatItWroteForItsOwnerAlone() throws Exception {
    TickKeys.write(KEY, file);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(read().text()).isEqualTo(KEY.text());
    assertThat(names()).as("and nothing beside it").containsExactly("tick.key");
  }

  @Test
  void shouldNeverReplaceAFile() throws Exception {
    Files.writeString(file, "somebody's");
    assertThatThrownBy(() -> TickKeys.write(KEY, file))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("exists already");
    assertThat(file).hasContent("somebody's");
    assertThat(names()).containsExactly("tick.key");
  }

  /** A link that leads nowhere yet is a name, too: nothing is written where it leads. */
  @Test
  void shouldNotFollowALink() throws Exception {
    Path elsewhere = folder.resolve("elsewhere");
    Files.createSymbolicLink(file, elsewhere);
    assertThatThrownBy(() -> TickKeys.write(KEY, file)).isInstanceOf(RefusedException.class);
    assertThat(elsewhere).doesNotExist();
  }

  @Test
  void shouldSayWhichFolderIsMissing() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> TickKeys.write(KEY, missing.resolve("tick.key")))
        .isInstanceOf(RefusedException.class)
        .hasMessageEndingWith("there is no folder " + missing);
  }

  /** Whoever reads it commands the clock. */
  @ParameterizedTest
  @ValueSource(strings = {"rw--w----", "rw-r--r--", "rw-----w-"})
  void shouldRefuseAFileThatOthersMayReadOrReplace(String rights) throws Exception {
    TickKeys.write(KEY, file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    assertThatThrownBy(this::read)
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining("chmod ");
  }

  @Test
  void shouldNameAFileThatIsMissingOrHoldsSomethingElse() throws Exception {
    assertThatThrownBy(this::read).hasMessageStartingWith(file + ": no such file; create one");
    Files.writeString(file, "0011");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(this::read)
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(file + ": holds no tick key")
        .hasMessageNotContaining("0011");
  }

  private List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).toList();
    }
  }
}
