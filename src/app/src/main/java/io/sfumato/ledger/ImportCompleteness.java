// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.StateReader;
import java.util.Optional;

/**
 * Whether a budget's ledger is all there. Of an import that was cut short some is missing, and
 * whoever is missing would begin with nothing spent: nothing may be done with it but to finish it.
 */
public final class ImportCompleteness {
  private ImportCompleteness() {}

  /**
   * Looks at the state of a budget; one without any is whole.
   *
   * @throws RefusedException if its import was cut short, with what to do
   */
  public static void require(Pipeline pipeline, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    StateTopics.require(state(pipeline, settings, cluster)::requireWhole);
  }

  /**
   * The same as an answer.
   *
   * @return what is wrong with it, if its import was cut short
   * @throws RefusedException if the cluster cannot be asked, which says nothing of the ledger
   */
  public static Optional<String> cutShort(
      Pipeline pipeline, KafkaSettings settings, Cluster cluster) throws RefusedException {
    return state(pipeline, settings, cluster).cutShort();
  }

  /**
   * What the state says of itself, whole or not; of a budget without any, nothing.
   *
   * @throws RefusedException if the cluster cannot be asked
   */
  public static StateReader state(Pipeline pipeline, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    return new StateTopics(pipeline).readMeta(settings, cluster);
  }
}
