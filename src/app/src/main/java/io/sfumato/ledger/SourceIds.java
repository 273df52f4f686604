// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.SourceTopics;
import java.util.Optional;

/**
 * The records' topics as a budget's state knows them: in the order in which they joined, and by the
 * ids that they had where the state began. A state that was restored on another cluster, and whose
 * topics were adopted, knows other ids than the cluster gave them.
 */
public final class SourceIds {
  private SourceIds() {}

  /**
   * Looks them up in the budget's registry and state. Whoever has no key takes every entry for
   * genuine: at worst what is said with it holds for no state.
   *
   * @param present the records' topics as the cluster describes them
   */
  public static SourceTopics known(
      Pipeline pipeline, KafkaSettings settings, Cluster cluster, SourceTopics present)
      throws RefusedException {
    Registry registry = new Registry(settings, pipeline.budget().name(), Optional.empty());
    Begun begun = registry.read(cluster).unverified().begun();
    return new StateTopics(pipeline)
        .readMeta(settings, cluster)
        .joined(BegunState.sources(begun, present), pipeline.version());
  }
}
