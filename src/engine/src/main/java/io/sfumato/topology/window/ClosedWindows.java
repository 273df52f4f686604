// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.window;

import java.util.OptionalLong;

/**
 * The closed windows of one journal partition, and what is done with each subject, or user, in
 * them: by window, then by name. It remembers how far it has come. <em>What</em> is done is fixed
 * when a window closes, so the work can be split anywhere, even by a wall clock.
 */
public interface ClosedWindows {
  /** A boundary has moved: windows may have closed, or it is now known where they begin. */
  default void wake() {}

  /**
   * Does work that comes before all windows, even when none is closed.
   *
   * @param most at least 1
   * @return work done; less than {@code most} only when nothing of it is left
   */
  default int prepare(int most) {
    return 0;
  }

  /**
   * Whether closed windows may be left.
   *
   * @param through window end up to which windows are closed
   */
  boolean isBehind(long through);

  /**
   * Goes on, within one window or from one to the next.
   *
   * @param through window end up to which windows are closed
   * @param most subjects or users to look at, at least 1
   * @param slice asked before each of them
   * @return how many it looked at
   */
  int step(long through, int most, Slice slice);

  /**
   * Cleans up when all closed windows are processed.
   *
   * @param through window end up to which windows are closed
   * @param most at least 1
   * @return work done; less than {@code most} only when nothing is left, or held
   */
  default int tidy(long through, int most, Slice slice) {
    return 0;
  }

  /**
   * No window that starts before this can be charged again, or handed back.
   *
   * @param through window end up to which everything is processed; nothing while work is left
   */
  OptionalLong overBefore(OptionalLong through);
}
