// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

/**
 * What a process tells its parent when it ends. docs/reference/codes.md prints the sentences, of
 * {@code run}; a check such as {@code doctor} also ends with a code to report what it found.
 */
public enum ExitCode {
  OK(0, "The command is done.", "Nothing."),
  FAILED(
      1,
      "Something failed that may work when it is tried again.",
      "Restart automatically, or run the command again."),
  USAGE(2, "The arguments are wrong.", "Correct them: the message names the help."),
  REFUSED_FILE(
      3,
      "The pipeline file, the secret, a ledger or a setting is refused.",
      "Restart only after a person has read the last line and corrected its cause."),
  REFUSED_CLUSTER(
      4,
      "The cluster cannot be reached, denies a right, or is not fit to keep a ledger.",
      "Restart automatically. If the message names a right or a setting, correct it first."),
  STOPPED(
      5,
      "The pipeline stopped itself, because continuing would break its guarantee.",
      "Restart only after a person has read the last line. It names the command that helps.");

  private final int number;
  private final String meaning;
  private final String remedy;

  ExitCode(int number, String meaning, String remedy) {
    this.number = number;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** What the process ends with. */
  public int number() {
    return number;
  }

  /** What happened. */
  public String meaning() {
    return meaning;
  }

  /** What to do, of {@code run}: above all whether to restart it. */
  public String remedy() {
    return remedy;
  }
}
