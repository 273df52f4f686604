// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import io.sfumato.text.ControlCharEscaper;
import java.io.PrintStream;

/**
 * One line that changes while something is waited for. A terminal shows the last of it; elsewhere,
 * as in a log, it is said once.
 */
public final class StatusLine {
  private final PrintStream out;
  private final boolean live;
  private boolean shown;

  /** On standard output. */
  public StatusLine() {
    this(Terminal.forDrawing(), Terminal.isWatched());
  }

  StatusLine(PrintStream out, boolean live) {
    this.out = out;
    this.live = live;
  }

  /** Shows a line in place of the one before. */
  public void show(String line) {
    if (live) {
      // What is printed next begins at the margin, over it.
      out.print("\r" + ControlCharEscaper.of(line) + "\u001b[K\r");
      out.flush();
    } else if (!shown) {
      out.println(ControlCharEscaper.of(line));
    }
    shown = true;
  }
}
