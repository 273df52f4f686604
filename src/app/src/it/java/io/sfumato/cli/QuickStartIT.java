// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes that short commands start from: made once, never trusted blindly. */
@Tag("release")
class QuickStartIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** The JVM says of each class where it took it from. */
  private static final String SHARED = "io.sfumato.cli.Main source: shared objects file (top)";

  /** One installation for all tests: to make an archive takes seconds. */
  @TempDir static Path home;

  @BeforeAll
  static void install() throws IOException {
    for (String part : List.of("bin", "topology", "target")) {
      Files.createDirectories(home.resolve(part));
    }
    for (String file : List.of("bin/sfumato", "topology/diary.yaml", "target/sfumato.jar")) {
      Files.copy(Path.of(file), home.resolve(file));
    }
    Files.createSymbolicLink(home.resolve("target/lib"), TARGET.resolve("lib"));
    mode("target", "rwxr-xr-x");
  }

  @AfterEach
  void closeFolder() throws IOException {
    mode("target", "rwxr-xr-x");
  }

  private static void mode(String file, String mode) throws IOException {
    Files.setPosixFilePermissions(home.resolve(file), PosixFilePermissions.fromString(mode));
  }

  private Process start(String name) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("bin/sfumato").toString(), "new", "--help")
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve(name).toFile());
    builder.environment().put("SFUMATO_JAVA_OPTIONS", "-Xlog:class+load");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder.start();
  }

  private String end(Process process, String name) throws Exception {
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String out = Files.readString(home.resolve(name));
    assertThat(process.exitValue()).as(out).isZero();
    assertThat(out).contains("Writes a commented pipeline file");
    return out;
  }

  private String help() throws Exception {
    return end(start("out"), "out");
  }

  private List<Path> made() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("target"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("start-")).toList();
    }
  }

  private void removeArchives() throws IOException {
    for (Path archive : made()) {
      Files.delete(archive);
    }
  }

  @Test
  void shouldStartFromAnArchiveThatIsMadeOnce() throws Exception {
    removeArchives();
    assertThat(help()).contains(SHARED);
    assertThat(made()).hasSize(1);
    Path archive = made().get(0);
    FileTime time = Files.getLastModifiedTime(archive);
    assertThat(help()).contains(SHARED);
    assertThat(made()).containsExactly(archive);
    assertThat(Files.getLastModifiedTime(archive)).isEqualTo(time);

    // Another jar has another archive.
    Files.setLastModifiedTime(
        home.resolve("target/sfumato.jar"), FileTime.from(Instant.now().plusSeconds(1)));
    assertThat(help()).contains(SHARED);
    assertThat(made()).hasSize(1);
    assertThat(Files.getLastModifiedTime(made().get(0))).isGreaterThan(time);
  }

  @Test
  void shouldMakeItWhenTwoComeFirst() throws Exception {
    removeArchives();
    Process one = start("one");
    Process other = start("other");
    end(one, "one");
    end(other, "other");
    assertThat(made()).hasSize(1);
    assertThat(help()).contains(SHARED);
  }

  @Test
  void shouldWorkWithoutOneWhereOthersMayWriteOrThatIsBroken() throws Exception {
    help();
    Path archive = made().get(0);
    mode("target/" + archive.getFileName(), "rw-rw-rw-");
    assertThat(help()).doesNotContain(SHARED);
    mode("target/" + archive.getFileName(), "rw-r--r--");
    mode("target", "rwxrwxrwx");
    assertThat(help()).doesNotContain(SHARED);
    mode("target", "rwxr-xr-x");
    // A JVM crashes at one that was cut short: it is made anew.
    try (FileChannel cut = FileChannel.open(archive, StandardOpenOption.WRITE)) {
      cut.truncate(5_000_000);
    }
    assertThat(help()).contains(SHARED);
    archive = made().get(0);
    try (FileChannel broken = FileChannel.open(archive, StandardOpenOption.WRITE)) {
      broken.write(ByteBuffer.wrap("no archive at all".getBytes(StandardCharsets.UTF_8)));
    }
    assertThat(help()).doesNotContain(SHARED);
    Files.delete(archive);
    mode("target", "rwxrwxrwx");
    assertThat(help()).doesNotContain(SHARED);
    assertThat(made()).isEmpty();
    mode("target", "rwxr-xr-x");
  }
}
