package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;

/**
 * Whether a budget's ledger is all there. Of an import that was cut short some is missing, and
 * whoever is missing would begin with nothing spent: nothing may be done with it but to finish it.
 */
public final class WholeLedger {
  private WholeLedger() {}

  /**
   * Looks at the state of a budget; one without any is whole.
   *
   * @throws RefusedException if its import was cut short, with what to do
   */
  public static void require(Pipeline pipeline, KafkaSettings settings, Cluster cluster)
      throws RefusedException {
    StateTopics state = new StateTopics(pipeline);
    StateTopics.require(state.readMeta(settings, cluster)::requireWhole);
  }
}
