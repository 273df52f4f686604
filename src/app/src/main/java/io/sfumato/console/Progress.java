// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import io.sfumato.text.Bars;
import io.sfumato.text.ControlCharEscaper;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * A progress bar with the time left. On a terminal it redraws itself; elsewhere, as in a log, long
 * work says a line now and then, and all work its last.
 */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final long REDRAW_NANOS = Duration.ofMillis(100).toNanos();
  private static final long REPEAT_NANOS = Duration.ofSeconds(10).toNanos();

  private final PrintStream out;
  private final String what;
  private final long total;
  private final boolean live;
  private final LongSupplier nanos;
  private final long began;
  private long done;
  private long drawn;

  public Progress(PrintStream out, String what, long total) {
    this(out, what, total, Terminal.isWatched(), System::nanoTime);
  }

  Progress(PrintStream out, String what, long total, boolean live, LongSupplier nanos) {
    this.out = out;
    this.what = ControlCharEscaper.of(what);
    this.total = total;
    this.live = live;
    this.nanos = nanos;
    this.began = nanos.getAsLong();
    this.drawn = began;
  }

  /** One more is done. */
  public void step() {
    at(done + 1);
  }

  /** Shows how much is done. */
  public void at(long now) {
    done = now;
    redraw();
  }

  private void redraw() {
    long now = nanos.getAsLong();
    if (now - drawn < (live ? REDRAW_NANOS : REPEAT_NANOS)) {
      return;
    }
    drawn = now;
    if (live) {
      out.print("\r" + line() + "\u001b[K");
    } else if (done < total) {
      out.println(line());
    }
    out.flush();
  }

  /** Says the last line; of work that never began nothing. */
  @Override
  public void close() {
    if (done == 0 && total > 0) {
      return;
    }
    out.println((live ? "\r" : "") + line() + (live ? "\u001b[K" : ""));
  }

  private String line() {
    double seconds = (nanos.getAsLong() - began) / 1e9;
    double share = total > 0 ? (double) done / total : 1; // nothing to do is done
    String left =
        done > 0 && done < total
            ? String.format(Locale.ROOT, ", %.0f s left", seconds / share - seconds)
            : String.format(Locale.ROOT, " in %.1f s", seconds);
    return String.format(
        Locale.ROOT,
        "%s [%s] %3.0f%% %,d of %,d%s",
        what,
        Bars.bar(share, WIDTH),
        share * 100,
        done,
        total,
        left);
  }
}
