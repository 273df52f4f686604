// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * What a command in this process prints, whether it uses the writers of its command line or the
 * standard streams. Captured from the command's thread and the threads that it starts, so commands
 * that run side by side do not mix.
 */
final class PrintedText {
  private static final InheritableThreadLocal<PrintedText> CURRENT = new InheritableThreadLocal<>();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ByteArrayOutputStream both = new ByteArrayOutputStream();

  /** A standard stream that captures the output of commands and passes on all other output. */
  private static final class StandardStream extends PrintStream {
    StandardStream(PrintStream otherwise, boolean isError) {
      super(
          new OutputStream() {
            @Override
            public void write(int octet) {
              write(new byte[] {(byte) octet}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
              PrintedText current = CURRENT.get();
              if (current == null) {
                otherwise.write(bytes, offset, length);
              } else {
                current.print(isError, bytes, offset, length);
              }
            }

            @Override
            public void flush() {
              otherwise.flush();
            }
          },
          true,
          StandardCharsets.UTF_8);
    }
  }

  /** Call this before setting writers: picocli drops them when a standard stream is replaced. */
  PrintedText() {
    redirect();
  }

  /** Runs a command in this thread and captures all that it prints. */
  int capture(IntSupplier command) {
    PrintedText before = CURRENT.get();
    CURRENT.set(this);
    try {
      return command.getAsInt();
    } finally {
      CURRENT.set(before);
    }
  }

  /**
   * Replaces the standard streams permanently. Output of threads that belong to no command goes
   * where it went before.
   */
  private static synchronized void redirect() {
    if (!(System.out instanceof StandardStream)) {
      System.setOut(new StandardStream(System.out, false));
    }
    if (!(System.err instanceof StandardStream)) {
      System.setErr(new StandardStream(System.err, true));
    }
  }

  private synchronized void print(boolean isError, byte[] bytes, int offset, int length) {
    (isError ? err : out).write(bytes, offset, length);
    both.write(bytes, offset, length);
  }

  private PrintWriter writer(boolean isError) {
    return new PrintWriter(
        new Writer() {
          @Override
          public void write(char[] chars, int offset, int length) {
            byte[] bytes = new String(chars, offset, length).getBytes(StandardCharsets.UTF_8);
            print(isError, bytes, 0, bytes.length);
          }

          @Override
          public void flush() {
            // nothing is buffered
          }

          @Override
          public void close() {
            // nothing to close
          }
        },
        true);
  }

  PrintWriter outWriter() {
    return writer(false);
  }

  PrintWriter errWriter() {
    return writer(true);
  }

  synchronized String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  synchronized String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Both, in the order in which they were printed. */
  synchronized String both() {
    return both.toString(StandardCharsets.UTF_8);
  }
}
