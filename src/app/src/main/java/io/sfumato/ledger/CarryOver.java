// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.LedgerImage;
import java.util.Optional;

/**
 * What must hold for a pipeline to go on with the ledger of another budget: one list of
 * requirements, which an export checks before it seals that ledger and an import checks again. What
 * the pipeline's first start would refuse because of the ledger is among them.
 *
 * @param plan of the pipeline that goes on
 * @param settings of the cluster that it runs on
 * @param cluster the same cluster
 * @param key that signs for the new budget
 * @param safety whether the cluster has to keep every acknowledged charge
 */
record CarryOver(
    Plan plan, KafkaSettings settings, Cluster cluster, NoiseKey key, Cluster.Safety safety) {

  /**
   * The ledger.
   *
   * @param facts of it: of a ledger that is not sealed yet, as it is now
   * @param digest of its file, hexadecimal; absent as long as it is not exported
   * @param running windows of the pipeline that still moves its floor; absent once it is sealed
   */
  record Source(LedgerFacts facts, Optional<String> digest, Optional<WindowSpec> running) {
    static Source of(LedgerFile file) {
      return new Source(file.facts(), Optional.of(file.digest()), Optional.empty());
    }

    String budget() {
      return facts.budget();
    }
  }

  /** In the order in which they are checked. */
  enum Requirement {
    /** The new budget has another name than the old one. */
    OTHER_BUDGET(CarryOver::requireOtherBudget),
    /** The file was exported for this pipeline and budget, or for none. */
    DESTINATION(CarryOver::requireDestination),
    /** The ledger goes on nowhere else. */
    NO_OTHER_HEIR(CarryOver::requireNoOtherHeir),
    /** The new budget was never sealed itself. */
    NOT_SEALED((next, ledger) -> next.receiver().requireNotSealed()),
    /** The new budget has no ledger, and waits for no other one. */
    NO_LEDGER((next, ledger) -> next.receiver().requireNoLedger(ledger)),
    /** The new budget was not started with another file or key. */
    NO_OTHER_FILE((next, ledger) -> next.receiver().requireNoOtherFile()),
    /** The pipeline ran on no other budget than the old one. */
    PIPELINE_NAME(CarryOver::requirePipelineName),
    /** Unit, period, epsilon, delta and shares go on with what was granted. */
    TERMS((next, ledger) -> next.carried(ledger)),
    /** A budget that has a share of an account keeps it, with its epsilon and delta. */
    ACCOUNT_SHARE(CarryOver::requireAccountShare),
    /** The account covers the new budget. */
    ACCOUNT_ROOM(CarryOver::requireAccountRoom),
    /** File or ledger say where windows begin. */
    BEGINNING(CarryOver::requireBeginning),
    /** The records' topic is there, and topics that exist are fit for the pipeline. */
    TOPICS((next, ledger) -> next.cluster.pipelineTopics().requirePrepared(next.plan, next.safety)),
    /** No instance of the new pipeline runs. */
    STOPPED((next, ledger) -> next.requireStopped());

    private final Check check;

    Requirement(Check check) {
      this.check = check;
    }
  }

  private interface Check {
    void require(CarryOver next, Source ledger) throws RefusedException;
  }

  /**
   * Checks all requirements and writes nothing.
   *
   * @return what the pipeline goes on with
   * @throws RefusedException by the first requirement that does not hold, with what to do
   */
  LedgerImage require(Source ledger) throws RefusedException {
    for (Requirement requirement : Requirement.values()) {
      requirement.check.require(this, ledger);
    }
    return carried(ledger);
  }

  /** What the pipeline goes on with: where the budget was raised, from the next period on. */
  LedgerImage carried(Source ledger) throws RefusedException {
    LedgerImage image = ledger.facts().image();
    boolean checked =
        ledger.facts().destination().filter(LedgerFacts.Destination.of(plan)::equals).isPresent();
    if (ledger.running().isPresent()) {
      StateTopics.require(() -> image.requireForLater(plan, ledger.running().get()));
    }
    try {
      return StateTopics.ask(() -> image.carriedBy(plan));
    } catch (RefusedException e) {
      if (!checked) {
        throw e;
      }
      // It was checked before the seal, which then closed windows of the next period.
      return StateTopics.ask(() -> image.carriedFromNextPeriod(plan));
    }
  }

  private Pipeline pipeline() {
    return plan.pipeline();
  }

  private String budget() {
    return pipeline().budget().name();
  }

  private BudgetAncestry ancestry() {
    return new BudgetAncestry(settings, cluster, Optional.of(key));
  }

  private ReceivingBudget receiver() {
    return new ReceivingBudget(plan, settings, cluster, key);
  }

  private void requireOtherBudget(Source ledger) throws RefusedException {
    if (ledger.budget().equals(budget())) {
      throw refused(
          "a ledger continues under a new name: give the new file a 'budget.name' that was "
              + "never used");
    }
  }

  private void requireDestination(Source ledger) throws RefusedException {
    Optional<LedgerFacts.Destination> only = ledger.facts().destination();
    if (only.isPresent() && !only.get().hasNamesOf(LedgerFacts.Destination.of(plan))) {
      throw refused(
          "the ledger was exported only for pipeline '%s' with budget '%s': import it with their file"
              .formatted(
                  ControlCharEscaper.of(only.get().pipeline()),
                  ControlCharEscaper.of(only.get().budget())));
    }
  }

  private void requireNoOtherHeir(Source ledger) throws RefusedException {
    Optional<String> elsewhere =
        ancestry().heir(ledger.budget()).filter(other -> !other.equals(budget()));
    if (elsewhere.isPresent()) {
      throw refused(
          "the ledger of '%s' already continues as '%s'; both would spend the same remaining budget"
              .formatted(
                  ControlCharEscaper.of(ledger.budget()), ControlCharEscaper.of(elsewhere.get())));
    }
    if (ledger.digest().isPresent() && ancestry().continues(ledger.budget())) {
      throw refused(
          ("budget '%s' is not sealed on this cluster and would be spent twice. Export it again "
                  + "(sfumato ledger export OLD --for NEW), then import that file")
              .formatted(ControlCharEscaper.of(ledger.budget())));
    }
  }

  private void requirePipelineName(Source ledger) throws RefusedException {
    PipelineRegistry names = new PipelineRegistry(settings, pipeline(), Optional.of(key));
    if (cluster.topics().isThere(PipelineRegistry.topicOf(pipeline().name()))) {
      Optional<String> mine = names.first();
      Optional<String> first = mine.isPresent() ? mine : names.firstOfOthers();
      ancestry().requireSameBudget(pipeline(), first, ledger.budget());
    }
  }

  private void requireAccountShare(Source ledger) throws RefusedException {
    boolean isRaised = ledger.facts().image().isRaisedBy(plan);
    Optional<String> name = Optional.of(ledger.facts().account()).filter(a -> !a.isEmpty());
    if (name.isPresent() && isRaised) {
      throw refused(
          "account '%s' granted the old budget its epsilon and delta, and they cannot change: restore them in the new file"
              .formatted(ControlCharEscaper.of(name.get())));
    }
    Optional<String> next = pipeline().budget().account().map(AccountSpec::name);
    if (name.isPresent() && !name.equals(next)) {
      throw refused(
          "the old budget has a share of account '%s', which covers its ledger also after the import: name that account in the new file"
              .formatted(ControlCharEscaper.of(name.get())));
    }
  }

  private void requireAccountRoom(Source ledger) throws RefusedException {
    new AccountShare(plan, settings, cluster, key)
        .requireRoom(receiver().registry().mine().granted(), ledger.facts().inherited());
  }

  private void requireBeginning(Source ledger) throws RefusedException {
    Beginning.requireAfter(
        pipeline().window(), ledger.facts().image().closedBefore(), System.currentTimeMillis());
  }

  /** An instance that has restored its state already would never read what is imported. */
  void requireStopped() throws RefusedException {
    String application = pipeline().applicationId();
    if (cluster.groups().hasMembers(application)) {
      throw new RefusedException(
          ExitCode.FAILED,
          ("instances of '%s' are running and would ignore the imported ledger; stop them, then "
                  + "run the same command again")
              .formatted(application));
    }
  }

  static RefusedException refused(String message) {
    return new RefusedException(ExitCode.STOPPED, message);
  }
}
