// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where sources of all modules are. Tests of every module run in the checkout. */
public final class Places {
  private static final Path MODULES = Path.of("src");

  /** Its sources serve tests alone. */
  private static final String TESTKIT = "testkit";

  private Places() {}

  /** Folders of Java sources of the program and its libraries. */
  public static List<Path> main() {
    return folders("main").stream().filter(folder -> !isTestkit(folder)).toList();
  }

  /** Folders of Java sources of unit tests, and of what they share. */
  public static List<Path> tests() {
    return Stream.of(folders("test"), folders("shared"), List.of(MODULES.resolve(TESTKIT)))
        .flatMap(List::stream)
        .toList();
  }

  /** Folders of Java sources of integration tests. */
  public static List<Path> integrationTests() {
    return folders("it");
  }

  /** Files of Java sources in some folders, in their order. */
  public static List<Path> java(List<Path> folders) {
    return folders.stream().flatMap(Places::java).toList();
  }

  /**
   * The source of a class of the program.
   *
   * @param file below {@code io/sfumato}
   * @throws IllegalArgumentException if no module has it
   */
  public static Path source(String file) {
    return main().stream()
        .map(folder -> folder.resolve("io/sfumato").resolve(file))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no module has " + file));
  }

  private static boolean isTestkit(Path folder) {
    return folder.startsWith(MODULES.resolve(TESTKIT));
  }

  private static List<Path> folders(String kind) {
    try (Stream<Path> modules = Files.list(MODULES)) {
      return modules
          .map(module -> module.resolve(Path.of("src", kind, "java")))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> java(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
