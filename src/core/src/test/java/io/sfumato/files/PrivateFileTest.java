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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** The same among processes, which have nothing in common but the folder. */
  @Test
  void shouldGiveANameToOneOfManyProcesses() throws Exception {
    Path file = folder.resolve("noise.key");
    List<Process> writers = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        writers.add(PrivateFileWriter.start(file, Integer.toString(i)));
      }
      for (Process writer : writers) {
        writer.getOutputStream().close();
      }
      List<Integer> codes = new ArrayList<>();
      for (Process writer : writers) {
        codes.add(ended(writer));
      }
      assertThat(codes)
          .containsExactlyInAnyOrder(
              PrivateFileWriter.WROTE,
              PrivateFileWriter.THERE_ALREADY,
              PrivateFileWriter.THERE_ALREADY);
      String winner = Integer.toString(codes.indexOf(PrivateFileWriter.WROTE));
      assertThat(file).hasContent(winner.repeat(64));
    } finally {
      for (Process writer : writers) {
        writer.destroyForcibly().waitFor();
      }
    }
    assertThat(names()).containsExactly("noise.key");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64})
  void shouldLeaveNothingOfAFileThatTheDiskDidNotTake(int taken) throws Exception {
    Path file = folder.resolve("noise.key");
    assertThatThrownBy(
            () ->
                PrivateFile.write(
                    file,
                    channel -> {
                      PrivateFileWriter.put(channel, "7".repeat(taken));
                      assertThat(file).as("no name before it is whole").doesNotExist();
                      assertThat(names())
                          .singleElement()
                          .satisfies(part -> assertThat(rights(part)).isEqualTo("rw-------"));
                      throw new IOException("No space left on device");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
    assertThat(names()).as("nothing, under no name").isEmpty();
    PrivateFile.write(file, "second");
    assertThat(file).hasContent("second");
  }

  /** Whoever comes first while another one is still writing has the name, and keeps it. */
  @Test
  void shouldNotReplaceAFileThatCameIntoBeingMeanwhile() throws Exception {
    Path file = folder.resolve("noise.key");
    assertThatThrownBy(
            () ->
                PrivateFile.write(
                    file,
                    channel -> {
                      PrivateFileWriter.put(channel, "slow");
                      PrivateFile.write(file, "quick");
                    }))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("quick");
    assertThat(names()).containsExactly("noise.key");
  }

  /** What it had written is nobody else's to read, and is in nobody's way. */
  @Test
  void shouldLeaveNoFileOfThatNameWhereTheProcessEndsInTheMiddle() throws Exception {
    Path file = folder.resolve("noise.key");
    Process crashing = PrivateFileWriter.start(file, "7", "crash");
    crashing.getOutputStream().close();
    assertThat(ended(crashing)).isEqualTo(PrivateFileWriter.CRASHED);
    assertThat(file).doesNotExist();
    assertThat(names())
        .as("half of it was written")
        .singleElement()
        .satisfies(
            part -> {
              assertThat(Files.readString(folder.resolve(part))).isEqualTo("7".repeat(32));
              assertThat(rights(part)).isEqualTo("rw-------");
            });
    PrivateFile.write(file, "second");
    assertThat(PrivateFile.read(file, "a key")).isEqualTo("second");
  }

  private static int ended(Process process) throws InterruptedException {
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  private String rights(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
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
