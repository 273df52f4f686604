// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.pipeline.FieldLimits;
import java.util.List;

/**
 * The events of a dataset that count already, where several records may be copies of one. They are
 * kept for a bounded number of events: a window with more is not released, which is no secret,
 * since under unit {@code record} it is public which records there are.
 *
 * @param ranks keyed hashes of their ids, in ascending order; one more than {@link #MOST} where
 *     there were more
 */
public record EventIds(List<Long> ranks) {
  /** Events of one subject and window. */
  public static final int MOST = FieldLimits.EVENTS;

  public EventIds {
    ranks = List.copyOf(ranks);
  }

  /** Of a window without records. */
  static EventIds none() {
    return new EventIds(List.of());
  }

  /** Whether there were more events than are known apart. */
  public boolean isTooMany() {
    return ranks.size() > MOST;
  }
}
