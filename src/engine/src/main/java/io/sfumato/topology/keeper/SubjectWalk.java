// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.topology.dataset.DatasetStore.Key;

/** How subjects of closed windows are walked where who is released is fixed. */
interface SubjectWalk {
  /**
   * Goes on behind a dataset, within one window, or to the beginning of the next one.
   *
   * @param most subjects to look at, at least 1
   */
  Step step(Key from, int most);

  /**
   * How far it came.
   *
   * @param at the last dataset that is decided
   * @param looked subjects that were looked at, at least 1
   */
  record Step(Key at, int looked) {}
}
