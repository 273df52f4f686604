// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.window.Slice;
import java.util.Optional;

/** How subjects of closed windows are walked. */
interface SubjectWalk {
  /**
   * Whether anything may be left.
   *
   * @param cursor the last dataset that is decided, or the beginning of a window
   * @param through window end up to which windows are closed
   */
  default boolean isBehind(Optional<Key> cursor, long through) {
    return cursor.orElseThrow().windowStart() < through;
  }

  /**
   * Goes on behind the cursor, within one window, or to the beginning of the next one.
   *
   * @param most subjects to look at, at least 1
   */
  Step step(Optional<Key> cursor, long through, int most, Slice slice);

  /**
   * How far it came.
   *
   * @param at the next cursor; nothing if it stays
   * @param looked subjects that were looked at
   */
  record Step(Optional<Key> at, int looked) {
    Step(Key at, int looked) {
      this(Optional.of(at), looked);
    }
  }
}
