// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wrong file given for a key or for properties is named, with what one looks like. */
class GivenFilesTest {
  private static final byte[] NOISE = {'s', 'e', 'c', (byte) 0xff, (byte) 0xfe, 0, 1};
  private static final int KEY_BYTES = 4096;
  private static final int PROPERTIES_BYTES = 1 << 20;

  @TempDir Path folder;

  @Test
  void shouldNameAKeyThatIsNoTextOrTooLargeOrNoFile() throws Exception {
    for (byte[] wrong :
        new byte[][] {NOISE, "s".repeat(KEY_BYTES + 1).getBytes(StandardCharsets.UTF_8)}) {
      Path file = given(wrong);
      assertRefused(() -> Secrets.require(Optional.of(file), Map.of()), file, "64 hexadecimal");
      assertRefused(() -> tickKey(file), file, "sfumato-tick-key BUDGET");
    }
    assertRefused(() -> Secrets.require(Optional.of(folder), Map.of()), folder, "no regular file");
    assertRefused(() -> tickKey(folder), folder, "no regular file");
  }

  @Test
  void shouldNamePropertiesThatAreNoTextOrTooLargeOrNoFile() throws Exception {
    for (byte[] wrong :
        new byte[][] {NOISE, "s".repeat(PROPERTIES_BYTES + 1).getBytes(StandardCharsets.UTF_8)}) {
      Path file = given(wrong);
      assertRefused(() -> properties(file), file, "security.protocol=SSL");
    }
    assertRefused(() -> properties(folder), folder, "no regular file");
    Path missing = folder.resolve("missing");
    assertRefused(() -> properties(missing), missing, "NoSuchFile");
  }

  /** Certificates make a properties file longer than any key. */
  @Test
  void shouldTakePropertiesThatAreLongerThanAKey() throws Exception {
    Path file = given(("#" + "s".repeat(PROPERTIES_BYTES - 1)).getBytes(StandardCharsets.UTF_8));
    assertThatCode(() -> properties(file)).doesNotThrowAnyException();
  }

  private Path given(byte[] content) throws Exception {
    Path file = Files.write(folder.resolve("given"), content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static void tickKey(Path file) throws RefusedException {
    TickKeys.find("diary", Optional.of(file), Optional.empty(), Map.of(), Optional.empty());
  }

  private static void properties(Path file) throws RefusedException {
    KafkaSettings.gather(Map.of(), Optional.of(file), Map.of(), Optional.empty());
  }

  private static void assertRefused(ThrowingCallable read, Path file, String told) {
    assertThatThrownBy(read)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.code()).isEqualTo(ExitCode.REFUSED_FILE))
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(told)
        .hasMessageNotContaining("sss")
        .hasMessageNotContaining("Input length");
  }
}
