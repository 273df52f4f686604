// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

/** Prints what a long test does, each line with the seconds since its start. */
public final class TimedLines {
  private final long began = System.nanoTime();

  /** Prints a line. */
  public void say(String what) {
    System.out.printf("%5.1f s: %s%n", (System.nanoTime() - began) / 1e9, what);
  }
}
