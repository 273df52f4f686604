// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Builds a copy of the sources, with the JDK, the Maven and the local repository of this build. */
final class SecondBuild {
  /** What the build reads. */
  private static final List<String> SOURCES =
      List.of(
          ".mvn",
          "bin",
          "clients",
          "docker",
          "docs",
          "schemas",
          "src",
          "topology",
          "pom.xml",
          "CHANGELOG.md",
          "CONTRIBUTING.md",
          "LICENSE",
          "LICENSES",
          "NOTICE",
          "README.md",
          "SECURITY.md");

  private static final Path REPOSITORY = Path.of(System.getProperty("sfumato.repository"));

  private SecondBuild() {}

  /** Copies the sources, without the folders that a build writes. */
  static void copySources(Path to) throws Exception {
    Files.createDirectory(to);
    for (String part : SOURCES) {
      run(to, "cp", "-r", Path.of(part).toAbsolutePath().toString(), part);
    }
    run(to, "sh", "-c", "rm -rf src/*/target");
  }

  /**
   * Makes a local repository that links to everything in this build's one except Sfumato itself.
   * Libraries of Sfumato that are installed there never reach this build's repository.
   */
  static void linkRepository(Path to) throws IOException {
    link(REPOSITORY, to, "io");
    link(REPOSITORY.resolve("io"), to.resolve("io"), "sfumato");
  }

  private static void link(Path from, Path to, String except) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.filter(entry -> !entry.endsWith(except)).toList()) {
        Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
      }
    }
  }

  /**
   * Runs a command that must succeed. Some commands download plug-ins that no other one needs.
   *
   * @return its output and error messages
   */
  static String run(Path where, String... command) throws Exception {
    return finish(0, where, command);
  }

  /** Runs a Java program that must end with an exception. */
  static String runFailing(Path where, String... command) throws Exception {
    return finish(1, where, command);
  }

  private static String finish(int code, Path where, String... command) throws Exception {
    Path log = Files.createTempFile(where, "command", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    String java = System.getProperty("java.home");
    builder.environment().put("JAVA_HOME", java);
    builder.environment().put("MAVEN_OPTS", "-Dmaven.repo.local=" + REPOSITORY);
    String own = java + "/bin:" + System.getProperty("sfumato.maven") + "/bin:";
    builder.environment().merge("PATH", own, (old, first) -> first + old);
    Process process = builder.start();
    assertThat(process.waitFor(20, TimeUnit.MINUTES)).isTrue();
    String out = Files.readString(log);
    assertThat(process.exitValue()).as(out).isEqualTo(code);
    return out;
  }
}
