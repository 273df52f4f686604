// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.StateReader;
import java.util.Optional;

/** What a start would be refused for, for whoever looks before. */
public final class StartObstacles {
  private StartObstacles() {}

  /** Why a budget that has begun may not run on the topics that are there; nothing if it may. */
  public static Optional<String> lostState(
      Pipeline pipeline, KafkaSettings settings, Cluster cluster) throws RefusedException {
    Begun begun =
        new Registry(settings, pipeline.budget().name(), Optional.empty())
            .read(cluster)
            .unverified()
            .begun();
    try {
      StateReader state = new StateTopics(pipeline).readMeta(settings, cluster);
      BegunState.require(pipeline, begun, settings, cluster, state);
      return Optional.empty();
    } catch (RefusedException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * The budget whose ledger another one has to import before it runs, in visible letters; nothing
   * if there is none, or it has.
   *
   * @param state of the budget that waits
   */
  public static Optional<String> awaited(
      String budget, KafkaSettings settings, Cluster cluster, StateReader state)
      throws RefusedException {
    Optional<String> from =
        new Registry(settings, budget, Optional.empty()).read(cluster).unverified().awaited();
    return BudgetAncestry.isMissing(from, state)
        ? from.map(ControlCharEscaper::of)
        : Optional.empty();
  }
}
