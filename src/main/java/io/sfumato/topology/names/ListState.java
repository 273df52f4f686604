// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.names;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;

/**
 * How far a subject's list is.
 *
 * @param listed names that are public, or were just found
 * @param window start of the window that is being decided, or was decided last
 * @param passed the last name of it that was looked at; empty before the first
 * @param decided whether it is decided and published
 * @param rest records so far whose names are not public: secret
 * @param waiting names that were found and are not listed, since the list is full, of those that
 *     were looked at when all were looked at last; {@link #UNKNOWN} where nobody needs it, and of
 *     earlier programs
 */
record ListState(
    long listed, long window, String passed, boolean decided, long rest, long waiting) {
  private static final long UNKNOWN = -1;

  static final ListState NEW = new ListState(0, Long.MIN_VALUE, "", true, 0, UNKNOWN);

  private static final int FORMAT = 2;

  /** Where all names are looked at in every window. */
  private static final int WITHOUT_WAITING = 1;

  /** At the beginning of a window, unless it is in it. */
  ListState in(long windowStart) {
    return window == windowStart ? this : new ListState(listed, windowStart, "", false, 0, waiting);
  }

  /** Whether a window is published. */
  boolean isDecided(long windowStart) {
    return windowStart < window || windowStart == window && decided;
  }

  /** Every window that starts by then is decided. */
  long decidedThrough() {
    return decided ? window : window - 1;
  }

  /** Whether all names that were found are listed. */
  boolean hasListedAll() {
    return waiting == 0;
  }

  /**
   * Before the first name of its window is looked at.
   *
   * @param counts whether names that wait are counted
   */
  ListState looking(boolean counts) {
    return passed.isEmpty()
        ? new ListState(listed, window, passed, decided, rest, counts ? 0 : UNKNOWN)
        : this;
  }

  /** With one more name that waits for room. */
  ListState withWaiting() {
    return waiting == UNKNOWN
        ? this
        : new ListState(listed, window, passed, decided, rest, waiting + 1);
  }

  /** Further in its window. */
  ListState at(long names, String name) {
    return new ListState(names, window, name, false, rest, waiting);
  }

  /** With records of a name that is not public. */
  ListState with(long records) {
    return new ListState(listed, window, passed, decided, Math.addExact(rest, records), waiting);
  }

  /** After its window. */
  ListState published(long names) {
    return new ListState(names, window, "", true, 0, waiting);
  }

  byte[] encode() {
    ByteWriter out = new ByteWriter();
    out.fixed8(waiting == UNKNOWN ? WITHOUT_WAITING : FORMAT)
        .unsigned(listed)
        .signed(window)
        .fixed8(decided ? 1 : 0)
        .text(passed)
        .unsigned(rest);
    if (waiting != UNKNOWN) {
      out.unsigned(waiting);
    }
    return out.toBytes();
  }

  static ListState decode(byte[] bytes) {
    boolean known = bytes.length == 0 || bytes[0] != WITHOUT_WAITING;
    ByteReader in =
        new ByteReader(bytes).format(known ? FORMAT : WITHOUT_WAITING, "a list of names");
    long listed = in.unsigned();
    long window = in.signed();
    boolean decided = in.fixed8() == 1;
    ListState state =
        new ListState(
            listed, window, in.text(), decided, in.unsigned(), known ? in.unsigned() : UNKNOWN);
    in.end();
    return state;
  }

  /** Never prints the rest. */
  @Override
  public String toString() {
    return "ListState[" + listed + " names]";
  }
}
