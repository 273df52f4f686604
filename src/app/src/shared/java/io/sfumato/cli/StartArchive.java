// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.ForkArchive;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The archive of classes that the launcher made of the program under test: processes that tests
 * start by themselves, or from a copy of the launcher, start sooner from it.
 */
public final class StartArchive {
  private static final List<String> OPTIONS = ForkArchive.isWanted() ? made() : List.of();

  /** What starts brokers or instances, for which the launcher has no archive. */
  private static final Set<String> LONG = Set.of("run", "demo", "bench");

  private StartArchive() {}

  /** For the JVM, as the launcher gives them; none if there is no archive. */
  public static List<String> options() {
    return OPTIONS;
  }

  /** For the JVM of a command whose class path begins with the program and its broker. */
  public static List<String> options(String command) {
    return LONG.contains(command) ? ForkArchive.options() : OPTIONS;
  }

  /** Any short command has the launcher make one, unless it is there. */
  private static List<String> made() {
    try {
      ProcessBuilder builder =
          new ProcessBuilder("bin/sfumato", "new", "--help")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      Process process = builder.start();
      if (!process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the launcher does not end");
      }
      return newest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> newest() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("start-.*\\.jsa"))
          .max(Comparator.comparing(file -> file.toFile().lastModified()))
          .filter(file -> file.toFile().length() > 0)
          .map(
              file ->
                  List.of(
                      "-XX:SharedArchiveFile=" + file.toAbsolutePath(),
                      "-Xshare:auto",
                      "-Xlog:disable",
                      "-Xlog:all=error:stderr"))
          .orElse(List.of());
    }
  }
}
