// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.selection;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.util.OptionalLong;

/**
 * How far a subject's list is.
 *
 * @param listed names that are public, or were just found
 * @param window start of the window that is being decided, or was decided last
 * @param passed the last name of it that was looked at; empty before the first
 * @param decided whether it is decided and published
 * @param rest records so far whose names are not public: secret
 * @param waiting names that were found and are not listed, since the list is full, of those that
 *     were looked at when all were looked at last; {@link #UNKNOWN} where nobody needs it
 * @param began start of the list's first window, where that lay within a run of windows that are
 *     counted together; nothing where it did not
 */
record ListState(
    long listed,
    long window,
    String passed,
    boolean decided,
    long rest,
    long waiting,
    OptionalLong began) {
  private static final long UNKNOWN = -1;

  static final ListState NEW =
      new ListState(0, Long.MIN_VALUE, "", true, 0, UNKNOWN, OptionalLong.empty());

  private static final int FORMAT = 2;

  /** Where all names are looked at in every window. */
  private static final int WITHOUT_WAITING = 1;

  /** Of lists that began within a run. */
  private static final int BEGUN = 3;

  /** Whether no window was looked at so far. */
  boolean isNew() {
    return window == Long.MIN_VALUE;
  }

  /** Beginning within a run. */
  ListState beginning(long windowStart) {
    return new ListState(
        listed, window, passed, decided, rest, waiting, OptionalLong.of(windowStart));
  }

  /** At the beginning of a window, unless it is in it. */
  ListState in(long windowStart) {
    return window == windowStart
        ? this
        : new ListState(listed, windowStart, "", false, 0, waiting, began);
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
        ? new ListState(listed, window, passed, decided, rest, counts ? 0 : UNKNOWN, began)
        : this;
  }

  /** With one more name that waits for room. */
  ListState withWaiting() {
    return waiting == UNKNOWN
        ? this
        : new ListState(listed, window, passed, decided, rest, waiting + 1, began);
  }

  /** Further in its window. */
  ListState at(long names, String name) {
    return new ListState(names, window, name, false, rest, waiting, began);
  }

  /** With records of a name that is not public. */
  ListState with(long records) {
    return new ListState(
        listed, window, passed, decided, Math.addExact(rest, records), waiting, began);
  }

  /** After its window. */
  ListState published(long names) {
    return new ListState(names, window, "", true, 0, waiting, began);
  }

  byte[] encode() {
    ByteWriter out = new ByteWriter();
    out.fixed8(began.isPresent() ? BEGUN : waiting == UNKNOWN ? WITHOUT_WAITING : FORMAT)
        .unsigned(listed)
        .signed(window)
        .fixed8(decided ? 1 : 0)
        .text(passed)
        .unsigned(rest);
    if (began.isPresent()) {
      out.signed(waiting).signed(began.getAsLong());
    } else if (waiting != UNKNOWN) {
      out.unsigned(waiting);
    }
    return out.toBytes();
  }

  static ListState decode(byte[] bytes) {
    int format = bytes.length == 0 ? FORMAT : bytes[0];
    boolean known = format == WITHOUT_WAITING || format == BEGUN;
    ByteReader in = new ByteReader(bytes).format(known ? format : FORMAT, "a list of names");
    long listed = in.unsigned();
    long window = in.signed();
    boolean decided = in.fixed8() == 1;
    String passed = in.text();
    long rest = in.unsigned();
    long waiting =
        switch (format) {
          case WITHOUT_WAITING -> UNKNOWN;
          case BEGUN -> in.signed();
          default -> in.unsigned();
        };
    OptionalLong began = format == BEGUN ? OptionalLong.of(in.signed()) : OptionalLong.empty();
    in.end();
    return new ListState(listed, window, passed, decided, rest, waiting, began);
  }

  /** Never prints the rest. */
  @Override
  public String toString() {
    return "ListState[" + listed + " names]";
  }
}
