// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The latest committed count of every keeper partition that this instance has worked on. Tasks put
 * counts here and never wait; another thread writes them into the registry.
 */
public final class ChargeCounts {
  private final ConcurrentMap<PartitionCount.Place, CountedState> latest =
      new ConcurrentHashMap<>();

  /**
   * Takes the count of a state that is committed. One that has not changed keeps its time: an
   * instance that stood still may believe that a partition is idle which another one works on.
   *
   * @param now wall clock, milliseconds since 1970
   */
  public void committed(PartitionCount count, long now) {
    latest.compute(
        count.place(),
        (place, before) ->
            before != null && before.count().equals(count) ? before : new CountedState(count, now));
  }

  /** All of them, in no order. */
  public List<CountedState> all() {
    return List.copyOf(latest.values());
  }
}
