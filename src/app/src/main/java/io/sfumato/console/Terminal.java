// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import io.sfumato.text.ControlCharEscaper;
import java.io.PrintStream;
import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where commands print: what stands there may come from elsewhere, and is made visible. */
public final class Terminal {
  private static final PrintStream RAW_OUT = System.out;
  private static final PrintStream RAW_ERR = System.err;
  private static final PrintStream OUT = VisibleStream.before(RAW_OUT);
  private static final PrintStream ERR = VisibleStream.before(RAW_ERR);

  /** What tells collectors which lines were printed, not logged. */
  private static final String OUT_LOGGER = "sfumato.out";

  private static final String ERR_LOGGER = "sfumato.err";

  private static final String LOG_FORMAT = "SFUMATO_LOG_FORMAT";

  private static volatile boolean logged;

  private Terminal() {}

  /** From now on whatever is printed or logged passes {@link ControlCharEscaper#lines}. */
  public static void guard() {
    System.setOut(OUT);
    System.setErr(ERR);
  }

  /** Whether the log is to be JSON. */
  public static boolean wantsJson() {
    return "json".equals(System.getenv(LOG_FORMAT));
  }

  /**
   * From now on each line that is printed is an event of the log, which is JSON: standard output
   * and standard error hold nothing else.
   */
  public static void logLines() {
    Logger out = LoggerFactory.getLogger(OUT_LOGGER);
    Logger err = LoggerFactory.getLogger(ERR_LOGGER);
    logged = true;
    System.setOut(LoggedLines.to(out::info));
    System.setErr(LoggedLines.to(err::warn));
  }

  /** Whether printed lines are events of the log. */
  public static boolean logsLines() {
    return logged;
  }

  /** Whether a person watches, so that a line may be drawn over another one. */
  static boolean isWatched() {
    return !logged && System.console() != null;
  }

  /** Says what was printed last without the end of its line; called when the process ends. */
  public static void end() {
    System.out.flush();
    System.err.flush();
    if (logged) {
      System.out.close();
      System.err.close();
    }
  }

  /** Where the process was started to. */
  static PrintStream raw(boolean out) {
    return out ? RAW_OUT : RAW_ERR;
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
