// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import io.sfumato.text.ControlCharEscaper;
import java.io.Flushable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Writes {@link ControlCharEscaper#lines} of what it is given; nothing is kept back but half a
 * character.
 */
final class VisibleWriter extends Writer {
  private final Appendable out;

  /** First half of a pair whose second one is still to come; empty most of the time. */
  private String half = "";

  VisibleWriter(Appendable out) {
    this.out = out;
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    if (length == 0) {
      return;
    }
    String all = half + new String(text, from, length);
    int whole = Character.isHighSurrogate(all.charAt(all.length() - 1)) ? 1 : 0;
    half = all.substring(all.length() - whole);
    out.append(ControlCharEscaper.lines(all.substring(0, all.length() - whole)));
  }

  /** Fails where the reader of a pipe has ended: streams for printing keep that to themselves. */
  @Override
  public void flush() throws IOException {
    if (out instanceof Flushable flushable) {
      flushable.flush();
    }
    if (out instanceof PrintStream stream && stream.checkError()
        || out instanceof PrintWriter writer && writer.checkError()) {
      throw new IOException("what is printed goes nowhere");
    }
  }

  @Override
  public void close() throws IOException {
    out.append(ControlCharEscaper.lines(half));
    half = "";
    flush();
  }
}
