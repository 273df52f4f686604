// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import picocli.CommandLine;

/**
 * Output and exit code of a finished command.
 *
 * @param code exit code
 * @param out what it printed to standard output
 * @param err what it printed to standard error
 * @param text both, as a terminal shows them
 */
public record CommandResult(int code, String out, String err, String text) {

  /** Runs a command in the test's process, which takes far less time than starting a JVM. */
  public static CommandResult of(String... arguments) {
    PrintedText printed = new PrintedText();
    return execute(Main.commandLine(arguments), printed, arguments);
  }

  static CommandResult execute(CommandLine command, PrintedText printed, String... arguments) {
    command.setOut(printed.outWriter()).setErr(printed.errWriter());
    int code = printed.capture(() -> command.execute(arguments));
    return new CommandResult(code, printed.out(), printed.err(), printed.both());
  }
}
