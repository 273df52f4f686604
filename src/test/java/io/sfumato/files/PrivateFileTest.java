// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFileTest {
  @TempDir Path folder;

  @Test
  void shouldWriteAFileThatItsOwnerAloneReadsAndLeaveNothingBesideIt() throws Exception {
    Path file = folder.resolve("noise.key");
    PrivateFile.write(file, "secret\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PrivateFile.read(file, "a key")).isEqualTo("secret\n");
    assertThat(names()).containsExactly("noise.key");
  }

  @Test
  void shouldNeverReplaceAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("noise.key"), "first");
    assertThatThrownBy(() -> PrivateFile.write(file, "second"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("first");
    assertThat(names()).containsExactly("noise.key");
  }

  @Test
  void shouldGiveANameToOneOfManyThatWantItAndAllOfThatOne() throws Exception {
    Path file = folder.resolve("noise.key");
    ExecutorService writers = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> attempts =
          IntStream.range(0, 8).<Callable<Boolean>>mapToObj(i -> () -> isMine(file, i)).toList();
      int written = 0;
      for (Future<Boolean> attempt : writers.invokeAll(attempts)) {
        written += attempt.get() ? 1 : 0;
      }
      assertThat(written).isEqualTo(1);
    } finally {
      writers.shutdown();
    }
    assertThat(Files.readString(file)).matches("(\\d)\\1{63}");
    assertThat(names()).containsExactly("noise.key");
  }

  private static boolean isMine(Path file, int digit) throws IOException {
    try {
      PrivateFile.write(file, Integer.toString(digit).repeat(64));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  @Test
  void shouldReadWhatRootHasGivenToAGroupOfTheProcess() throws Exception {
    Account me = Account.ofThisProcess();
    assumeTrue(me.user() == 0, "only root gives files away");
    Path file = Files.writeString(folder.resolve("noise.key"), "secret");
    own(file, 0, me.groups().iterator().next(), "r--r-----");
    // Through links, as a mounted secret is.
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThat(PrivateFile.read(link, "a key")).isEqualTo("secret");
    own(file, 0, 54_321, "r--r-----");
    assertThatThrownBy(() -> PrivateFile.read(link, "a key")).hasMessageContaining("group 54321");
    own(file, 54_321, 0, "rw-------");
    assertThatThrownBy(() -> PrivateFile.read(link, "a key"))
        .hasMessageContaining("belongs to user 54321")
        .hasMessageContaining("chown 0 ");
    own(file, 0, 0, "rw----r--");
    assertThatThrownBy(() -> PrivateFile.read(link, "a key"))
        .hasMessageContaining("chmod 600 " + link);
    assertThatThrownBy(() -> PrivateFile.read(folder.resolve("none"), "a key"))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void shouldMakeAFolderForItsOwnerAloneAndRefuseAWiderOne() throws Exception {
    Path data = folder.resolve("above").resolve("data");
    PrivateFolder.make(data);
    PrivateFolder.make(data);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThatThrownBy(() -> PrivateFolder.make(data)).hasMessageContaining("chmod 700 " + data);
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    assertThatCode(() -> PrivateFolder.make(data)).doesNotThrowAnyException();
  }

  private static void own(Path file, int user, long group, String rights) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    Files.setAttribute(file, "unix:gid", (int) group);
    Files.setAttribute(file, "unix:uid", user);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
