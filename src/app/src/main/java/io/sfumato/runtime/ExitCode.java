// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

/** What a process tells its parent when it ends. */
public enum ExitCode {
  OK(0),
  /** Something failed that running again may cure. */
  FAILED(1),
  /** Wrong arguments. */
  USAGE(2),
  /** The pipeline file, the secret or a setting is refused. */
  REFUSED_FILE(3),
  /** The cluster cannot be reached, or is not fit to keep a ledger. */
  REFUSED_CLUSTER(4),
  /** The pipeline stopped itself: going on would break its guarantee. */
  STOPPED(5);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** What the process ends with. */
  public int number() {
    return number;
  }
}
