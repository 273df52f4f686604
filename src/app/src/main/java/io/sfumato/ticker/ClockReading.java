// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

/**
 * What a broker's clock said.
 *
 * @param told milliseconds since 1970, read somewhere between the two moments
 * @param asked when it was asked
 * @param answered when the answer was here
 */
record ClockReading(long told, Moment asked, Moment answered) {
  /** The broker's time now is at least this. */
  long atLeast(Moment now) {
    return told + now.since(answered);
  }

  /** The broker's time now is at most this. */
  long atMost(Moment now) {
    return told + now.since(asked);
  }
}
