// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.accounting.Period;
import io.sfumato.gate.LedgerRule;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.release.Plan;
import io.sfumato.topology.budget.BudgetUsage;
import io.sfumato.topology.budget.Charger;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.budget.LedgerCharger;
import io.sfumato.topology.budget.PartitionLedgers;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.Lineage;
import io.sfumato.topology.window.JournalPartition;
import java.util.Optional;
import java.util.function.Function;

/**
 * Subjects' ledgers: who charges them, and how much is spent of them.
 *
 * @param charging who charges a release
 * @param kept nothing where subjects have no ledgers
 * @param usage counts what is spent; nothing where subjects have no ledgers, or one a window
 */
record SubjectLedgers(
    Function<PlannedRelease, Charger> charging,
    Optional<PartitionLedgers> kept,
    Optional<BudgetUsage> usage) {
  /** Where users are protected they were charged before: subjects have no ledger. */
  static SubjectLedgers of(JournalPartition<?> partition) {
    Plan plan = partition.plan();
    Lineage lineage = partition.journal().lineage();
    // The gate's package checks every share, even one that needs no ledger here.
    plan.releases().forEach(lineage.terms()::rule);
    if (plan.pipeline().population().isPresent()) {
      return new SubjectLedgers(Charger::ofContributors, Optional.empty(), Optional.empty());
    }
    PartitionLedgers kept = partition.ledgers();
    PipelineMeters meters = partition.deployment().meters();
    if (plan.pipeline().calendar().isPresent()) {
      // Spans overlap: there is no one period of which it could be told how much is spent.
      return new SubjectLedgers(
          release -> ofSpans(plan, release, lineage.terms(), kept, meters),
          Optional.of(kept),
          Optional.empty());
    }
    Period period = plan.pipeline().budget().period();
    BudgetUsage usage =
        new BudgetUsage(kept.store(), () -> firstCounted(lineage.since(), period, kept.past()));
    return new SubjectLedgers(
        release -> ofPeriods(release, lineage.terms(), kept, usage, meters),
        Optional.of(kept),
        Optional.of(usage));
  }

  private static Charger ofSpans(
      Plan plan,
      PlannedRelease release,
      BudgetTerms terms,
      PartitionLedgers kept,
      PipelineMeters meters) {
    SpanShare span = SpanShare.of(plan.pipeline(), release.spec()).orElseThrow();
    return span.hasLedger()
        ? new LedgerCharger(
            release, terms, kept.store(), kept.past(), meters, Optional.of(span.calendar()))
        : Charger.ofCalendar(release, kept.past(), meters);
  }

  private static Charger ofPeriods(
      PlannedRelease release,
      BudgetTerms terms,
      PartitionLedgers kept,
      BudgetUsage usage,
      PipelineMeters meters) {
    LedgerRule rule = terms.rule(release);
    usage.watch(release.share().name(), entry -> rule.spent(entry.ledger()));
    return new LedgerCharger(release, terms, kept.store(), kept.past(), meters);
  }

  /**
   * What earlier versions charged in periods before this one's windows it may not know to count.
   */
  private static long firstCounted(long since, Period period, ExpiredLedgers past) {
    return since == Long.MIN_VALUE ? past.live() : Math.max(past.live(), period.indexOf(since));
  }
}
