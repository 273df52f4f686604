// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {
  @TempDir Path folder;

  @Test
  void shouldGiveAPartOfAFolderToOneAtATime() throws Exception {
    Path data = folder.resolve("data");
    try (FolderLock first = FolderLock.acquire(data, "sfumato-test")) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> FolderLock.acquire(data, "sfumato-test"))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("in use by another 'sfumato run'")
          .hasMessageContaining("--data");
      assertThat(FolderLock.tryTake(data, "sfumato-test")).isEmpty();
      assertThat(FolderLock.isHeld(data, "sfumato-test")).isTrue();
      assertThat(FolderLock.isHeld(data, "sfumato-never")).isFalse();
      FolderLock.acquire(data, "sfumato-other").close();
      FolderLock.acquire(folder.resolve("other"), "sfumato-test").close();
    }
    assertThat(FolderLock.isHeld(data, "sfumato-test")).isFalse();
    FolderLock.acquire(data, "sfumato-test").close();
  }

  /** A process loses its locks of a file with the first of its channels that is closed. */
  @Test
  void shouldKeepItWhileTheSameProcessAsks() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data"));
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    assertThat(FolderLock.isHeld(data, "broker")).isFalse();
    try (FolderLock lock = FolderLock.acquire(data, "broker")) {
      assertThat(locks(data.resolve("broker.lock"))).as("of the kernel").isPositive();
      for (Path name : List.of(data, link, folder.resolve("link/../data"))) {
        assertThat(FolderLock.isHeld(name, "broker")).isTrue();
        assertThat(FolderLock.tryTake(name, "broker")).isEmpty();
      }
      assertThat(locks(data.resolve("broker.lock"))).isPositive();
      assertThat(lock).isNotNull();
    }
    assertThat(locks(data.resolve("broker.lock"))).isZero();
    assertThat(FolderLock.isHeld(data, "broker")).isFalse();
    FolderLock.acquire(data, "broker").close();
  }

  private static long locks(Path file) throws Exception {
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
      return locks.filter(lock -> lock.contains(inode)).count();
    }
  }

  @Test
  void shouldKeepItsFolderForTheOwnerAndRefuseOneThatOthersEnter() throws Exception {
    Path data = folder.resolve("data");
    FolderLock.acquire(data, "sfumato-test").close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-x---"));
    assertThatThrownBy(() -> FolderLock.acquire(data, "sfumato-test"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("chmod 700 " + data);
  }

  @Test
  void shouldSayWhereItCannotWrite() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> FolderLock.acquire(file, "broker"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("cannot write into folder " + file);
  }
}
