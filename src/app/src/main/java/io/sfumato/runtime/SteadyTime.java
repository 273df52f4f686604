// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/**
 * Milliseconds that never go back, whatever the wall clock does: a clock that is set back an hour
 * would otherwise stop every slice of a closing window for an hour.
 */
final class SteadyTime implements Time {
  private final Time time;
  private final long startMillis;
  private final long startNanos;

  SteadyTime(Time time) {
    this.time = time;
    this.startMillis = time.milliseconds();
    this.startNanos = time.nanoseconds();
  }

  @Override
  public long milliseconds() {
    return startMillis + (time.nanoseconds() - startNanos) / 1_000_000;
  }

  @Override
  public long nanoseconds() {
    return time.nanoseconds();
  }

  @Override
  public void sleep(long millis) {
    time.sleep(millis);
  }

  @Override
  public void waitObject(Object object, Supplier<Boolean> condition, long deadline)
      throws InterruptedException {
    synchronized (object) {
      while (!condition.get()) {
        long left = deadline - milliseconds();
        if (left <= 0) {
          throw new org.apache.kafka.common.errors.TimeoutException("condition not met in time");
        }
        object.wait(left);
      }
    }
  }
}
