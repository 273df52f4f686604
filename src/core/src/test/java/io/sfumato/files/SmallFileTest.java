// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFileTest {
  private static final int LIMIT = 16;

  @TempDir Path folder;

  @Test
  void shouldReadAsMuchAsIsAllowedAndThroughLinks() throws Exception {
    String text = "ä".repeat(LIMIT / 2);
    Path file = Files.writeString(folder.resolve("key"), text);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThat(read(link)).isEqualTo(text).hasSize(8);
    assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(LIMIT);
  }

  @Test
  void shouldRefuseWhatIsLargerWithoutReadingIt() throws Exception {
    Path file = Files.writeString(folder.resolve("key"), "s".repeat(LIMIT + 1));
    assertRefused(file, "is larger than 16 bytes", "sss");
    Path huge = folder.resolve("huge");
    try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }
    assertRefused(huge, "is larger than 16 bytes", "\0");
  }

  /** A pipe would be waited for, for ever. */
  @Test
  void shouldRefuseWhatIsNoFile() throws Exception {
    assertRefused(Path.of("/dev/null"), "is no regular file", "\0");
    assertRefused(folder, "is no regular file", "\0");
    Path pipe = pipe(folder.resolve("pipe"));
    assertRefused(pipe, "is no regular file", "\0");
    assertRefused(
        Files.createSymbolicLink(folder.resolve("link"), pipe), "is no regular file", "\0");
    for (Path wrong : new Path[] {pipe, Path.of("/dev/null")}) {
      assertThatThrownBy(() -> PrivateFile.read(wrong, "a key has 64 digits"))
          .as("whatever its rights")
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no regular file");
    }
  }

  @Test
  void shouldRefuseWhatIsNoTextAndQuoteNothingOfIt() throws Exception {
    byte[] bytes = {'s', 'e', 'c', (byte) 0xff, (byte) 0xc0};
    assertRefused(Files.write(folder.resolve("key"), bytes), "holds no text", "sec");
  }

  @Test
  void shouldSayWhatIsMissing() {
    assertThatThrownBy(() -> read(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
  }

  private static Path pipe(Path path) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start().waitFor())
        .isZero();
    return path;
  }

  private static void assertRefused(Path file, String problem, String content) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(file + " " + problem)
        .hasMessageEndingWith("; a key has 64 digits")
        .hasMessageNotContaining(content);
  }

  private static String read(Path file) throws IOException {
    return SmallFile.read(file, LIMIT, "a key has 64 digits");
  }
}
