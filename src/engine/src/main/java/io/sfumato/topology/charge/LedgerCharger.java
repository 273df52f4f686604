// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.Share;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.setting.PipelineMeters;
import java.util.Map;

/** Charges one output's releases, or queries, to the ledgers of its subjects. */
public final class LedgerCharger implements Charger {
  private final Share share;
  private final String mechanism;
  private final int chargeId;
  private final Map<Integer, Long> costs;
  private final PastPeriods periods;
  private final LedgerStore ledgers;
  private final BudgetCensus census;
  private final PipelineMeters meters;

  public LedgerCharger(
      PlannedRelease release,
      BudgetTerms terms,
      LedgerStore ledgers,
      PastPeriods periods,
      BudgetCensus census,
      PipelineMeters meters) {
    this.share = release.share();
    this.mechanism = release.charge().mechanism();
    this.chargeId = terms.chargeId(release.charge());
    this.costs = terms.share(share.name()).costs();
    this.periods = periods;
    this.ledgers = ledgers;
    this.census = census;
    this.meters = meters;
    census.watch(
        share.name(),
        entry -> isKnown(entry.ledger()) ? share.spent(entry.ledger(), costs, chargeId) : 1);
  }

  /** Whether one more charge fits. */
  public boolean admits(String subject, long windowStart) {
    return admits(ledgers.get(key(subject, windowStart)).ledger());
  }

  /** How many of so many charges fit. */
  public int admitsOf(String subject, long windowStart, int most) {
    Ledger ledger = ledgers.get(key(subject, windowStart)).ledger();
    int fit = 0;
    while (fit < most && admits(ledger)) {
      ledger = ledger.plus(chargeId);
      fit++;
    }
    return fit;
  }

  /** How many charges there are, of whatever mechanism. */
  public long charges(String subject, long windowStart) {
    return ledgers.get(key(subject, windowStart)).ledger().size();
  }

  /** Makes several charges, which fit. */
  public void charge(String subject, long windowStart, int times) {
    LedgerStore.Key key = key(subject, windowStart);
    LedgerStore.Entry entry = ledgers.get(key);
    Ledger ledger = entry.ledger();
    for (int i = 0; i < times; i++) {
      if (!admits(ledger)) {
        throw new IllegalStateException("a charge does not fit");
      }
      ledger = ledger.plus(chargeId);
    }
    put(key, entry, new LedgerStore.Entry(ledger, entry.status()));
    meters.charged(share.name(), mechanism);
  }

  private boolean admits(Ledger ledger) {
    return isKnown(ledger) && share.admits(ledger, costs, chargeId);
  }

  /**
   * A query may have been charged for a window that was open when its ledger was exported. What
   * goes on as another share does not know what that cost: it leaves nothing of this one ledger.
   */
  private boolean isKnown(Ledger ledger) {
    return costs.keySet().containsAll(ledger.counts().keySet());
  }

  @Override
  public Verdict charge(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, windowStart);
    LedgerStore.Entry entry = ledgers.get(key);
    if (entry.status() == LedgerStore.Status.EXHAUSTED) {
      return Verdict.EXHAUSTED;
    }
    if (!admits(entry.ledger())) {
      return Verdict.SPENT;
    }
    put(key, entry, new LedgerStore.Entry(entry.ledger().plus(chargeId), entry.status()));
    meters.charged(share.name(), mechanism);
    return Verdict.CHARGED;
  }

  @Override
  public void handBack(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, windowStart);
    LedgerStore.Entry entry = ledgers.get(key);
    put(key, entry, new LedgerStore.Entry(entry.ledger().minus(chargeId), entry.status()));
  }

  @Override
  public void announced(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, windowStart);
    ledgers.put(
        key, new LedgerStore.Entry(ledgers.get(key).ledger(), LedgerStore.Status.EXHAUSTED));
  }

  private void put(LedgerStore.Key key, LedgerStore.Entry before, LedgerStore.Entry after) {
    ledgers.put(key, after);
    census.changed(key, before, after);
  }

  private LedgerStore.Key key(String subject, long windowStart) {
    return new LedgerStore.Key(periods.chargeable(windowStart), share.name(), subject);
  }
}
