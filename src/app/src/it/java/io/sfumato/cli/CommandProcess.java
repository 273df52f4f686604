// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command in a process of its own, as the launcher starts it. */
public final class CommandProcess {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final String CLASS_PATH =
      TARGET.resolve("sfumato.jar") + File.pathSeparator + TARGET.resolve("lib-broker") + "/*";

  private CommandProcess() {}

  /** Yet to be started: in a folder, with all that it says in a file. */
  public static ProcessBuilder of(Path folder, Path log, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // These processes are short: what they would compile well they have done by then.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dsfumato.home=" + Path.of("").toAbsolutePath()));
    command.addAll(StartArchive.options(arguments[0]));
    command.addAll(List.of("-cp", CLASS_PATH, Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .directory(folder.toFile());
  }
}
