// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import java.util.Arrays;

/**
 * How many users were in the last n windows, of one cell or several. Of every user it counts the
 * last window alone, so that a user who comes every day is one. A window hands over how many users
 * it has, by the number of windows since each was here before. These sums do not depend on the
 * order of users. Exact, hence secret. Immutable.
 */
public final class LastWindows {
  private final int last;

  /** By cell and age: how many users had their last window so long ago, 0 for the newest. */
  private final long[][] users;

  private final long windows;

  private LastWindows(int last, long[][] users, long windows) {
    this.last = last;
    this.users = users;
    this.windows = windows;
  }

  /**
   * Before the first window.
   *
   * @param cells at least 1
   * @param last n, at least 1
   */
  public static LastWindows start(int cells, int last) {
    return new LastWindows(last, new long[cells][last], 0);
  }

  /**
   * As it was kept.
   *
   * @param users by cell and age; copied
   * @param windows so far
   * @throws IllegalArgumentException if a cell has other ages than the first, or there is none
   */
  public static LastWindows of(long[][] users, long windows) {
    if (users.length == 0 || windows < 0) {
      throw new IllegalArgumentException("users are counted in at least 1 cell");
    }
    int last = users[0].length;
    if (last < 1 || Arrays.stream(users).anyMatch(cell -> cell.length != last)) {
      throw new IllegalArgumentException("every cell has the same windows");
    }
    return new LastWindows(last, copy(users), windows);
  }

  /**
   * With one window more.
   *
   * @param arrived by cell, and by d - 1: users of the window who were last in the cell d windows
   *     ago; in the last place those of n windows ago, or more, or never
   * @throws IllegalArgumentException if it has other cells or windows
   */
  public LastWindows plus(long[][] arrived) {
    if (arrived.length != users.length) {
      throw new IllegalArgumentException("a window has other cells than those before it");
    }
    long[][] next = new long[users.length][last];
    for (int cell = 0; cell < users.length; cell++) {
      if (arrived[cell].length != last) {
        throw new IllegalArgumentException("a window looks back over other windows");
      }
      System.arraycopy(users[cell], 0, next[cell], 1, last - 1);
      for (int i = 0; i < last; i++) {
        next[cell][0] = Math.addExact(next[cell][0], arrived[cell][i]);
        // Windows before the first one are not counted here: their users are new.
        if (i < last - 1 && i < windows) {
          next[cell][i + 1] = Math.subtractExact(next[cell][i + 1], arrived[cell][i]);
        }
      }
    }
    return new LastWindows(last, next, Math.addExact(windows, 1));
  }

  /** Windows so far. */
  public long windows() {
    return windows;
  }

  /** By cell: users of the last n windows, or of all if there are fewer. */
  public long[] counts() {
    return Arrays.stream(users).mapToLong(cell -> Arrays.stream(cell).sum()).toArray();
  }

  /** By cell and age: how many users had their last window so long ago. */
  public long[][] users() {
    return copy(users);
  }

  private static long[][] copy(long[][] users) {
    return Arrays.stream(users).map(long[]::clone).toArray(long[][]::new);
  }

  /** Never prints the numbers. */
  @Override
  public String toString() {
    return "LastWindows[" + windows + " windows]";
  }
}
