// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.count.LastWindows;
import io.sfumato.window.WindowGrid;
import java.util.Optional;

/**
 * How many users of a subject had their last window so long ago: exact counts, which do not leave
 * this class but as {@link #countedWith}. Immutable.
 */
public final class LastUsersMemory {
  /** Sums over windows have 2 and 3, trees of counts 4. */
  private static final int FORMAT = 5;

  private final Sequence sequence;
  private final long since;
  private final LastWindows users;

  private LastUsersMemory(Sequence sequence, long since, LastWindows users) {
    this.sequence = sequence;
    this.since = since;
    this.users = users;
  }

  /**
   * Windows that follow each other.
   *
   * @param told what windows hold, and the share that pays for them
   * @param cells that are counted apart
   * @param last n, how many windows are counted together
   * @param windows how time is cut
   */
  public record Sequence(String told, int cells, int last, WindowGrid windows) {
    /**
     * What goes on in a window: what the last one left, or a beginning.
     *
     * @param windowStart milliseconds since 1970
     */
    public LastUsersMemory goingOn(Memory memory, long windowStart) {
      return memory
          .exact()
          .flatMap(this::decode)
          .filter(left -> windows.plus(left.since, left.windows()) == windowStart)
          .orElseGet(() -> new LastUsersMemory(this, windowStart, LastWindows.start(cells, last)));
    }

    private Optional<LastUsersMemory> decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes);
      if (in.fixed8() != FORMAT) {
        return Optional.empty();
      }
      long since = in.signed();
      String left = in.text();
      long counted = in.unsigned();
      long leftCells = in.unsigned();
      long leftLast = in.unsigned();
      if (!left.equals(told) || leftCells != cells || leftLast != last) {
        return Optional.empty();
      }
      long[][] users = new long[cells][last];
      for (long[] cell : users) {
        for (int age = 0; age < last; age++) {
          cell[age] = in.unsigned();
        }
      }
      in.end();
      return Optional.of(new LastUsersMemory(this, since, LastWindows.of(users, counted)));
    }
  }

  /** Windows so far. */
  public long windows() {
    return users.windows();
  }

  /** Start of the first of the last n windows, or of all if there are fewer. */
  public long sinceLast() {
    return sequence.windows().plus(since, Math.max(0, windows() - sequence.last()));
  }

  /**
   * The exact counts of the last windows, the next one included.
   *
   * @param arrived in the next window, as {@link LastWindows#plus} says
   */
  public Secret<ExactVector> countedWith(Secret<long[][]> arrived) {
    return arrived.map(window -> new ExactVector(users.plus(window).counts()));
  }

  /** With one window more. */
  public LastUsersMemory plus(Secret<long[][]> arrived) {
    return new LastUsersMemory(sequence, since, users.plus(arrived.exact()));
  }

  /** As stores keep it. */
  public Memory memory() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).signed(since).text(sequence.told());
    out.unsigned(users.windows()).unsigned(sequence.cells()).unsigned(sequence.last());
    for (long[] cell : users.users()) {
      for (long count : cell) {
        out.unsigned(count);
      }
    }
    return Memory.ofData(out.toBytes());
  }

  /** Never prints the numbers. */
  @Override
  public String toString() {
    return "LastUsersMemory[" + windows() + " windows]";
  }
}
