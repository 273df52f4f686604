// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How fast events are replayed: {@code max}, {@code 500/s} or {@code 3600x} event time. */
public final class Speed {
  private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)/s");
  private static final Pattern FACTOR = Pattern.compile("(\\d+(?:\\.\\d+)?)x");

  private final double perSecond;
  private final double factor;
  private final long began = System.nanoTime();
  private long sent;
  private OptionalLong firstTime = OptionalLong.empty();

  private Speed(double perSecond, double factor) {
    this.perSecond = perSecond;
    this.factor = factor;
  }

  /**
   * Parses a speed.
   *
   * @throws IllegalArgumentException if it is none of the three forms, or 0
   */
  public static Speed parse(String text) {
    Matcher rate = RATE.matcher(text);
    Matcher factor = FACTOR.matcher(text);
    double perSecond = rate.matches() ? Double.parseDouble(rate.group(1)) : Double.NaN;
    double times = factor.matches() ? Double.parseDouble(factor.group(1)) : Double.NaN;
    if (!text.equals("max") && !(perSecond > 0) && !(times > 0)) {
      throw new IllegalArgumentException(
          "found '" + text + "', allowed are max, a rate such as 500/s, or a factor such as 3600x");
    }
    return new Speed(perSecond, times);
  }

  /** Waits until the next event is due. */
  public void await(long eventTime) {
    double due = 0;
    if (perSecond > 0) {
      due = sent / perSecond;
    } else if (factor > 0) {
      if (firstTime.isEmpty()) {
        firstTime = OptionalLong.of(eventTime);
      }
      due = (eventTime - firstTime.getAsLong()) / 1000.0 / factor;
    }
    sent++;
    long dueNanos = began + (long) (due * 1e9);
    for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
  }
}
