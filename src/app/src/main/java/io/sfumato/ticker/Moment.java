// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import java.time.Duration;

/**
 * A moment of this machine.
 *
 * @param wall by the clock on the wall, milliseconds since 1970: it may be wrong, and may jump
 * @param nanos by a clock that only runs on, such as {@link System#nanoTime}
 */
record Moment(long wall, long nanos) {
  static Moment now() {
    return new Moment(System.currentTimeMillis(), System.nanoTime());
  }

  /** Milliseconds since another moment, whatever became of the clock on the wall. */
  long since(Moment earlier) {
    return Duration.ofNanos(nanos - earlier.nanos).toMillis();
  }
}
