// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.continual;

/** Over which windows sums run. */
public sealed interface Horizon {
  /** Most windows of sums that begin anew. */
  int MOST_WINDOWS = 1 << 20;

  /** Most windows that are told as the last ones. */
  int MOST_LAST = 1024;

  /** After how many windows sums begin anew. */
  default long most() {
    return Long.MAX_VALUE;
  }

  /**
   * From a first window to the T-th, then anew.
   *
   * @param windows T, 1 to 2^20
   */
  record Until(int windows) implements Horizon {
    /**
     * @throws IllegalArgumentException if there is no window, or there are too many
     */
    public Until {
      if (windows < 1 || windows > MOST_WINDOWS) {
        throw new IllegalArgumentException(
            "sums run over 1 to " + MOST_WINDOWS + " windows, was " + windows);
      }
    }

    @Override
    public long most() {
      return windows;
    }
  }

  /** From a first window on, without an end. */
  record Forever() implements Horizon {}

  /**
   * Over the last ones.
   *
   * @param windows how many, 1 to 1,024
   */
  record Last(int windows) implements Horizon {
    /**
     * @throws IllegalArgumentException if there is no window, or there are too many
     */
    public Last {
      if (windows < 1 || windows > MOST_LAST) {
        throw new IllegalArgumentException(
            "the last windows are 1 to " + MOST_LAST + ", was " + windows);
      }
    }
  }
}
