// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes where the process was started to, past whatever stands in front of standard output and
 * standard error: those turn each line into an event of this appender.
 */
public final class RawAppender extends OutputStreamAppender<ILoggingEvent> {
  private boolean toOut;

  /** Standard output instead of standard error. */
  public void setToOut(boolean toOut) {
    this.toOut = toOut;
  }

  @Override
  public void start() {
    setOutputStream(new Kept(Terminal.raw(toOut)));
    super.start();
  }

  /** Stays open when the log is configured anew. */
  private static final class Kept extends FilterOutputStream {
    Kept(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
      out.flush();
    }
  }
}
