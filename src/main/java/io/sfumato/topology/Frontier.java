package io.sfumato.topology;

import java.util.Arrays;

/**
 * The last boundary of every source partition, and what all of them have passed. Asked for every
 * record, so that no answer looks at all sources; a window costs one look at each.
 */
final class Frontier {
  /** Of a source that has announced none. */
  static final long NONE = Long.MIN_VALUE;

  private final long[] last;

  /** Least of {@link #last}. */
  private long least = NONE;

  /** Largest of {@link #last}. */
  private long most = NONE;

  /** First source whose last boundary is the least; those before it are ahead. */
  private int slowest;

  Frontier(int sources) {
    last = new long[sources];
    Arrays.fill(last, NONE);
  }

  /**
   * A source passes a boundary behind its last one.
   *
   * @return whether all have passed more than before
   */
  boolean pass(int source, long end) {
    last[source] = end;
    most = Math.max(most, end);
    if (source != slowest) {
      return false;
    }
    // Whoever stands where the slowest stood comes after it.
    while (slowest < last.length && last[slowest] > least) {
      slowest++;
    }
    if (slowest < last.length) {
      return false;
    }
    least = Arrays.stream(last).min().orElseThrow();
    slowest = 0;
    while (last[slowest] > least) {
      slowest++;
    }
    return true;
  }

  /** The boundary that all have passed; {@link #NONE} before each has announced one. */
  long passedByAll() {
    return least;
  }

  /** The boundary that the foremost source has passed; {@link #NONE} before any has. */
  long foremost() {
    return most;
  }

  /** The source that is furthest behind the foremost one; -1 if none is behind. */
  int slowest() {
    return least < most ? slowest : -1;
  }
}
