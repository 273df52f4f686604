// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.PartitionCount;
import java.util.List;

/** How far the state of a budget was when its charges were last counted. */
public final class CountedCharges {
  private CountedCharges() {}

  /**
   * The newest count of each partition that the registry holds under a key; none where there is no
   * registry.
   */
  public static List<PartitionCount> of(
      String budget, KafkaSettings settings, Cluster cluster, NoiseKey key)
      throws RefusedException {
    return cluster.topics().isThere(Registry.topicOf(budget))
        ? new CountLog(settings, budget, key)
            .read().counts().stream().map(CountedState::count).toList()
        : List.of();
  }
}
