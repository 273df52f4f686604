// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.StateReader;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which budget goes on as which, by the registries of all that came before. Of a budget that came
 * before the key may be another's: what it says can only make this one refuse.
 */
final class BudgetAncestry {
  private final KafkaSettings settings;
  private final Cluster cluster;
  private final Optional<NoiseKey> key;

  BudgetAncestry(KafkaSettings settings, Cluster cluster, Optional<NoiseKey> key) {
    this.settings = settings;
    this.cluster = cluster;
    this.key = key;
  }

  /**
   * A pipeline with another budget's name would let everybody begin with nothing spent.
   *
   * @param first budget that the pipeline ran on
   */
  void requireSameBudget(Pipeline pipeline, Optional<String> first) throws RefusedException {
    requireSameBudget(pipeline, first, pipeline.budget().name());
  }

  /**
   * The same of a budget that is to go on with another one's ledger.
   *
   * @param origin the budget whose ledger it is, or will be
   */
  void requireSameBudget(Pipeline pipeline, Optional<String> first, String origin)
      throws RefusedException {
    String budget = pipeline.budget().name();
    if (first.isEmpty()) {
      return;
    }
    List<String> goals = List.of(budget, origin);
    String last = first.get();
    Set<String> seen = new HashSet<>();
    while (!goals.contains(last) && seen.add(last)) {
      last = heir(last).orElse(last);
    }
    if (!goals.contains(last)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          ("pipeline '%s' uses budget '%s'; budget '%s' would start with empty ledgers. Restore "
                  + "the budget's name, or carry the ledger over: sfumato ledger export OLD --for "
                  + "NEW, sfumato ledger import NEW. If the ledger is lost or was mirrored from a "
                  + "failed cluster: sfumato ledger fail-over NEW --former OLD. If the data are "
                  + "about other people, rename the pipeline too")
              .formatted(pipeline.name(), ControlCharEscaper.of(last), budget));
    }
  }

  /**
   * Two imports of one file, into two budgets at once, may both have been written.
   *
   * @param from the budget that the ledger was imported from, if it was
   */
  void requireOnlyContinuation(Optional<String> from, String budget) throws RefusedException {
    Optional<String> other =
        from.isPresent() ? heir(from.get()).filter(by -> !by.equals(budget)) : Optional.empty();
    if (other.isPresent()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger that budget '%s' was imported from continues as budget '%s'; both would spend the same remaining budget. Run that one"
              .formatted(budget, ControlCharEscaper.of(other.get())));
    }
  }

  /** A budget that goes on with a ledger would begin with nothing spent before it has it. */
  static void requireImported(String budget, Optional<String> awaited, StateReader found)
      throws RefusedException {
    if (isMissing(awaited, found)) {
      StateTopics.require(found::requireWhole);
      throw new RefusedException(
          ExitCode.STOPPED,
          "budget '%s' continues the ledger of '%s', which is not imported yet: run 'sfumato ledger import' first"
              .formatted(budget, ControlCharEscaper.of(awaited.get())));
    }
  }

  /** Whether a budget has not imported the ledger that it goes on with. */
  static boolean isMissing(Optional<String> awaited, StateReader found) {
    return awaited.isPresent() && !found.hasRun() && found.importedFrom().isEmpty();
  }

  /** The budget that another goes on as. */
  Optional<String> heir(String budget) throws RefusedException {
    return registry(budget).read(cluster).unverified().continued();
  }

  /**
   * What ended a budget's ledger, if it ended, in words: for whoever may hold its key or not.
   *
   * @return such as "was sealed at 2026-01-05T00:00:00Z"
   */
  Optional<String> ended(String budget) throws RefusedException {
    return ended(registry(budget).read(cluster));
  }

  private static Optional<String> ended(RegistryContents contents) {
    return contents.mine().adopted() ? contents.heard().ended() : contents.unverified().ended();
  }

  /** Whether a budget runs on this cluster and goes on: a file of its ledger is no sealed one. */
  boolean continues(String budget) throws RefusedException {
    RegistryContents contents = registry(budget).read(cluster);
    return contents.all().adopted() && ended(contents).isEmpty();
  }

  /** The registry of a budget, for another one to write to. */
  Registry registry(String budget, String writer) {
    return Registry.writtenBy(writer, settings, budget, key);
  }

  Registry registry(String budget) {
    return new Registry(settings, budget, key);
  }
}
