// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.setting;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The latest committed count of every keeper partition that this instance has worked on. Tasks put
 * counts here and never wait; another thread writes them into the registry.
 */
public final class ChargeCounts {
  private final ConcurrentMap<PartitionCount.Place, PartitionCount> latest =
      new ConcurrentHashMap<>();

  /** Takes the count of a state that is committed. */
  public void committed(PartitionCount count) {
    latest.put(count.place(), count);
  }

  /** All of them, in no order. */
  public List<PartitionCount> all() {
    return List.copyOf(latest.values());
  }
}
