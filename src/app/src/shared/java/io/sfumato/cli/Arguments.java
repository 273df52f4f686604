// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

/** Whether a command line is one of the program's, without running it. */
public final class Arguments {
  private Arguments() {}

  /**
   * @throws picocli.CommandLine.ParameterException if a command, option or value is wrong
   */
  public static void check(String... arguments) {
    Main.commandLine().parseArgs(arguments);
  }
}
