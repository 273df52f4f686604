// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.StateReader;
import java.util.Optional;

/**
 * The budget that is to go on with another one's ledger: whether it was never used.
 *
 * @param plan of its pipeline
 * @param settings of the cluster that it is on
 * @param cluster the same cluster
 * @param key that signs for it
 */
record ReceivingBudget(Plan plan, KafkaSettings settings, Cluster cluster, NoiseKey key) {
  private String budget() {
    return plan.pipeline().budget().name();
  }

  /** What its registry says; nothing if that is not there. */
  RegistryContents registry() throws RefusedException {
    return new Registry(settings, budget(), Optional.of(key)).read(cluster);
  }

  void requireNotSealed() throws RefusedException {
    if (new BudgetAncestry(settings, cluster, Optional.of(key)).ended(budget()).isPresent()) {
      throw CarryOver.refused(
          "the ledger of '%s' is sealed; take a budget name that was never used"
              .formatted(budget()));
    }
  }

  void requireNoLedger(CarryOver.Source ledger) throws RefusedException {
    StateReader present = new StateTopics(plan.pipeline()).readMeta(settings, cluster);
    requireNoOther(present, ledger, budget());
    RegistryEntries entries = registry().unverified();
    BegunState.require(plan.pipeline(), entries.begun(), settings, cluster, present);
    Optional<String> awaited = entries.awaited().filter(from -> !from.equals(ledger.budget()));
    if (awaited.isPresent()) {
      throw CarryOver.refused(
          "budget '%s' is reserved for the ledger of '%s'; take a budget name that was never used"
              .formatted(budget(), ControlCharEscaper.of(awaited.get())));
    }
  }

  /**
   * Refuses a ledger whose budget has another one.
   *
   * @param present state of the budget that the ledger is for
   */
  static void requireNoOther(StateReader present, CarryOver.Source ledger, String budget)
      throws RefusedException {
    boolean same = present.imported().isPresent() && present.imported().equals(ledger.digest());
    if (present.hasRun()) {
      throw CarryOver.refused(goneOn(same, isFrom(present, ledger), ledger, budget));
    }
    if (present.imported().isPresent() && !same) {
      throw CarryOver.refused(
          isFrom(present, ledger)
              ? "budget '%s' has already imported the ledger of '%s': run its pipeline. As long as that pipeline has not run, you can change its file without another export"
                  .formatted(budget, ControlCharEscaper.of(ledger.budget()))
              : "another ledger was imported into budget '%s'; take a budget name that was never used"
                  .formatted(budget));
    }
    Optional<String> half = present.halfImported();
    boolean isOther =
        half.isPresent()
            && (ledger.digest().isPresent()
                ? !half.equals(ledger.digest())
                : !present.halfImportedFrom().equals(Optional.of(ledger.budget())));
    if (isOther) {
      throw CarryOver.refused(
          ("the import of another file into budget '%s' was interrupted and is partly written: "
                  + "run it again with that file (sha256 %s), or take a budget name that was "
                  + "never used")
              .formatted(budget, half.get()));
    }
  }

  private static String goneOn(
      boolean same, boolean isFrom, CarryOver.Source ledger, String budget) {
    if (same) {
      return "budget '%s' imported this file before and has run since: its ledger is newer; nothing was changed"
          .formatted(budget);
    }
    if (isFrom) {
      return "budget '%s' imported the ledger of '%s' before and has run since: there is nothing left to export or import. To move the ledger again, export '%s'"
          .formatted(budget, ControlCharEscaper.of(ledger.budget()), budget);
    }
    return "budget '%s' has a ledger of its own, which an import would overwrite; take a budget name that was never used"
        .formatted(budget);
  }

  private static boolean isFrom(StateReader present, CarryOver.Source ledger) {
    return present.importedFrom().equals(Optional.of(ledger.budget()));
  }

  void requireNoOtherFile() throws RefusedException {
    Optional<Started> started = registry().unverified().started();
    if (started.isPresent()) {
      Started mine = Started.of(plan, key.tag());
      if (!started.get().isSame(mine)) {
        throw CarryOver.refused(
            "budget '%s' was started with another file or noise key; take a budget name that was never used"
                .formatted(budget()));
      }
    }
  }
}
