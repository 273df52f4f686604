// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.release.Plan;
import io.sfumato.topology.charge.BudgetCensus;
import io.sfumato.topology.charge.Charger;
import io.sfumato.topology.charge.CountReport;
import io.sfumato.topology.charge.LedgerCharger;
import io.sfumato.topology.charge.LedgerStore;
import io.sfumato.topology.charge.PastPeriods;
import io.sfumato.topology.charge.SpanCharger;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.lineage.Lineage;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.PipelineMeters;
import io.sfumato.topology.store.StagedStore;
import java.util.Optional;
import java.util.function.Function;

/**
 * Subjects' ledgers: who charges them, how much is spent of them, and which are over.
 *
 * @param charging who charges a release
 * @param census counts what is spent; nothing where subjects have no ledgers, or one a window
 * @param counted how many charges there are; nothing where subjects have no ledgers
 * @param past tidies up after periods that are over; nothing where subjects have no ledgers
 */
record SubjectLedgers(
    Function<PlannedRelease, Charger> charging,
    Optional<BudgetCensus> census,
    Optional<CountReport.Ledgers> counted,
    Optional<PastPeriods> past) {
  /** Where users are protected they were charged before: subjects have no ledger. */
  static SubjectLedgers of(
      Plan plan,
      Deployment deployment,
      JournalReader journal,
      KeeperStores stores,
      StagedStore meta) {
    // The gate's package checks every share, even one that needs no ledger here.
    plan.releases().forEach(journal.lineage().terms()::rule);
    if (plan.pipeline().population().isPresent()) {
      return new SubjectLedgers(
          Charger::ofContributors, Optional.empty(), Optional.empty(), Optional.empty());
    }
    Lineage lineage = journal.lineage();
    Period period = plan.pipeline().budget().period();
    CountReport.Ledgers counted = CountReport.Ledgers.of(stores.staged(Names.LEDGER_STORE), meta);
    LedgerStore ledgers = counted.store();
    PastPeriods past = new PastPeriods(period, ledgers, journal.meta(), lineage.floor());
    stores.commit().run(stores.context(), "periods", past::commit);
    if (plan.pipeline().calendar().isPresent()) {
      return new SubjectLedgers(
          release -> ofSpans(plan, release, lineage.terms(), ledgers, past, deployment.meters()),
          Optional.empty(),
          Optional.of(counted),
          Optional.of(past));
    }
    BudgetCensus census =
        new BudgetCensus(ledgers, () -> firstCounted(lineage.since(), period, past));
    return new SubjectLedgers(
        release ->
            new LedgerCharger(release, lineage.terms(), ledgers, past, census, deployment.meters()),
        Optional.of(census),
        Optional.of(counted),
        Optional.of(past));
  }

  /** Spans overlap: there is no one period of which it could be told how much is spent. */
  private static Charger ofSpans(
      Plan plan,
      PlannedRelease release,
      BudgetTerms terms,
      LedgerStore ledgers,
      PastPeriods past,
      PipelineMeters meters) {
    SpanShare span = SpanShare.of(plan.pipeline(), release.spec()).orElseThrow();
    return span.hasLedger()
        ? new SpanCharger(release, span.calendar(), terms, ledgers, past, meters)
        : Charger.ofCalendar(release, past, meters);
  }

  /**
   * What earlier versions charged in periods before this one's windows it may not know to count.
   */
  private static long firstCounted(long since, Period period, PastPeriods past) {
    return since == Long.MIN_VALUE ? past.live() : Math.max(past.live(), period.indexOf(since));
  }
}
