// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import io.sfumato.text.ControlCharEscaper;
import java.io.PrintStream;
import java.io.PrintWriter;

/** Where commands print: what stands there may come from elsewhere, and is made visible. */
public final class Terminal {
  private static final PrintStream RAW_OUT = System.out;
  private static final PrintStream RAW_ERR = System.err;
  private static final PrintStream OUT = VisibleStream.before(RAW_OUT);
  private static final PrintStream ERR = VisibleStream.before(RAW_ERR);

  private Terminal() {}

  /** From now on whatever is printed or logged passes {@link ControlCharEscaper#lines}. */
  public static void guard() {
    System.setOut(OUT);
    System.setErr(ERR);
  }

  /** The same for a writer that somebody else opened. */
  public static PrintWriter over(PrintWriter out) {
    return new PrintWriter(new VisibleWriter(out), true);
  }

  /**
   * Standard output for whoever moves the cursor, and shows names by {@link ControlCharEscaper#of}
   * alone.
   */
  public static PrintStream forDrawing() {
    return System.out == OUT ? RAW_OUT : System.out;
  }

  /** Standard error for the same. */
  public static PrintStream forProgress() {
    return System.err == ERR ? RAW_ERR : System.err;
  }
}
