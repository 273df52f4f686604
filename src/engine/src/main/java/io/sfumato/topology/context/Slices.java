// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

/**
 * Says when the work that closed windows leave is done: a slice at a time, between records. WHAT is
 * done does not depend on it, and the audit cuts slices elsewhere to see that it does not.
 */
public interface Slices {
  /** Begins a slice, unless records go first. */
  boolean begin();

  /** Whether it did not begin since its thread's time before the next commit is used up. */
  default boolean awaitsCommit() {
    return false;
  }

  /**
   * Begins a slice, or asks for the commit that it waits for.
   *
   * @param commit asks Kafka Streams to commit soon
   * @return whether it has begun
   */
  default boolean begin(Runnable commit) {
    boolean begun = begin();
    if (!begun && awaitsCommit()) {
      commit.run();
    }
    return begun;
  }

  /** Whether the slice may go on with another step. */
  boolean mayContinue();

  /** Whether the step may go on with another subject, or output. */
  default boolean hasTime() {
    return mayContinue();
  }

  /**
   * Ends a slice.
   *
   * @param left whether something is left to do
   */
  void end(boolean left);

  /**
   * How much is done before it is asked again whether the slice may go on.
   *
   * @param most what the processor does at once by itself, at least 1
   * @return 1 to {@code most}
   */
  default int step(int most) {
    return most;
  }
}
