// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

/**
 * When the names of a block that are not public are tested: at the end of every e-th window, and at
 * the block's end.
 *
 * @param windows T, of a block, 1 to 65,536
 * @param every e, 1 to T
 */
public record TestSchedule(int windows, int every) {
  /** Most windows of a block. */
  public static final int MOST_WINDOWS = 1 << 16;

  /** Most tests of a block. */
  public static final int MOST = 1024;

  /**
   * @throws IllegalArgumentException if there are no windows or too many, if the tests lie further
   *     apart than the block is long, or if there are too many tests
   */
  public TestSchedule {
    if (windows < 1 || windows > MOST_WINDOWS) {
      throw new IllegalArgumentException(
          "names are counted over 1 to " + MOST_WINDOWS + " windows, was " + windows);
    }
    if (every < 1 || every > windows) {
      throw new IllegalArgumentException(
          "names are tested every 1 to %d windows, was %d".formatted(windows, every));
    }
    if ((windows - 1) / every + 1 > MOST) {
      throw new IllegalArgumentException(
          "names are tested at most %d times, were %d: test every %d windows or more"
              .formatted(MOST, (windows - 1) / every + 1, (windows - 1) / MOST + 1));
    }
  }

  /** How many tests a block has: {@code ceil(T / e)}. */
  public int count() {
    return (windows - 1) / every + 1;
  }

  /**
   * The test to which a window's records belong, from 1.
   *
   * @param window of the block, from 1
   * @throws IllegalArgumentException if the block has no such window
   */
  public int of(int window) {
    if (window < 1 || window > windows) {
      throw new IllegalArgumentException(
          "a block has windows 1 to %d, was %d".formatted(windows, window));
    }
    return (window - 1) / every + 1;
  }

  /**
   * Whether a test lies at the end of a window of the block, from 1.
   *
   * @param window of the block, from 1
   * @throws IllegalArgumentException if the block has no such window
   */
  public boolean after(int window) {
    return window == last(of(window));
  }

  /**
   * The window at whose end a test lies, from 1.
   *
   * @param test from 1
   */
  public int last(int test) {
    return (int) Math.min(windows, (long) test * every);
  }
}
