// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.util.Optional;

/**
 * The id that a budget's state knows its records' topic by: another one than the cluster gave it,
 * where the state was restored on another cluster and its topics were adopted.
 */
public final class SourceIds {
  private SourceIds() {}

  /**
   * Looks it up in the budget's registry. Whoever has no key takes every entry for genuine: at
   * worst what is said with it holds for no state.
   *
   * @param present the records' topic as the cluster describes it
   */
  public static Cluster.Source known(
      Pipeline pipeline, KafkaSettings settings, Cluster cluster, Cluster.Source present)
      throws RefusedException {
    Registry registry = new Registry(settings, pipeline.budget().name(), Optional.empty());
    return BegunState.source(registry.read(cluster).unverified().begun(), present);
  }
}
