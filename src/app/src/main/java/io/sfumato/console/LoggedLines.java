// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Text of which each line is handed on by itself, without its end. */
final class LoggedLines extends OutputStream {
  private final Consumer<String> lines;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  private LoggedLines(Consumer<String> lines) {
    this.lines = lines;
  }

  /** A stream to print to. */
  static PrintStream to(Consumer<String> lines) {
    return new PrintStream(new LoggedLines(lines), true, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void write(int one) {
    if (one == '\n') {
      end();
    } else {
      line.write(one);
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      write(bytes[i]);
    }
  }

  /** A last line needs no end. */
  @Override
  public synchronized void close() {
    if (line.size() > 0) {
      end();
    }
  }

  private void end() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    // What a terminal would overwrite, or show as an empty line, is nothing for a collector.
    String said = text.replaceAll("\r|\u001b\\[K", "");
    if (!said.isBlank()) {
      lines.accept(said);
    }
  }
}
