// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import picocli.CommandLine;

/** All commands, as the program parses and explains them. */
public final class CommandModel {
  private CommandModel() {}

  /** The program with every command and subcommand, its help in lines of a fixed width. */
  public static CommandLine all() {
    return Main.commandLine().setUsageHelpAutoWidth(false).setUsageHelpWidth(100);
  }
}
