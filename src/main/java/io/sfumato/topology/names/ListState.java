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
 */
record ListState(long listed, long window, String passed, boolean decided, long rest) {
  static final ListState NEW = new ListState(0, Long.MIN_VALUE, "", true, 0);

  private static final int FORMAT = 1;

  /** At the beginning of a window, unless it is in it. */
  ListState in(long windowStart) {
    return window == windowStart ? this : new ListState(listed, windowStart, "", false, 0);
  }

  /** Whether a window is published. */
  boolean isDecided(long windowStart) {
    return windowStart < window || windowStart == window && decided;
  }

  /** Further in its window. */
  ListState at(long names, String name) {
    return new ListState(names, window, name, false, rest);
  }

  /** With records of a name that is not public. */
  ListState with(long records) {
    return new ListState(listed, window, passed, decided, Math.addExact(rest, records));
  }

  /** After its window. */
  ListState published(long names) {
    return new ListState(names, window, "", true, 0);
  }

  byte[] encode() {
    return new ByteWriter()
        .fixed8(FORMAT)
        .unsigned(listed)
        .signed(window)
        .fixed8(decided ? 1 : 0)
        .text(passed)
        .unsigned(rest)
        .toBytes();
  }

  static ListState decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a list of names");
    long listed = in.unsigned();
    long window = in.signed();
    boolean decided = in.fixed8() == 1;
    ListState state = new ListState(listed, window, in.text(), decided, in.unsigned());
    in.end();
    return state;
  }

  /** Never prints the rest. */
  @Override
  public String toString() {
    return "ListState[" + listed + " names]";
  }
}
