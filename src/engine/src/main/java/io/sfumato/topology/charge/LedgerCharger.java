// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

import io.sfumato.accounting.Ledger;
import io.sfumato.gate.LedgerRule;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.setting.PipelineMeters;
import java.util.Optional;

/** Charges one output's releases, or queries, to the ledgers of its subjects. */
public final class LedgerCharger implements Charger {
  private final String share;
  private final String mechanism;
  private final LedgerRule rule;
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
    this.share = release.share().name();
    this.mechanism = release.charge().mechanism();
    this.rule = terms.rule(release);
    this.periods = periods;
    this.ledgers = ledgers;
    this.census = census;
    this.meters = meters;
    census.watch(share, entry -> rule.spent(entry.ledger()));
  }

  /** Whether one more charge fits. */
  public boolean admits(String subject, long windowStart) {
    return rule.admits(ledgers.get(key(subject, windowStart)).ledger());
  }

  /** How many of so many charges fit. */
  public int admitsOf(String subject, long windowStart, int most) {
    Ledger ledger = ledgers.get(key(subject, windowStart)).ledger();
    int fit = 0;
    while (fit < most && rule.admits(ledger)) {
      ledger = rule.plus(ledger);
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
      ledger = rule.plus(ledger);
    }
    put(key, entry, new LedgerStore.Entry(ledger, entry.status()));
    meters.charged(share, mechanism);
  }

  @Override
  public Outcome charge(ReleaseId id) {
    LedgerStore.Key key = key(id.subject(), id.windowStart());
    if (isExhausted(key)) {
      return Outcome.EXHAUSTED;
    }
    Optional<Permit> permit = rule.charge(new Kept(), key, id);
    permit.ifPresent(given -> meters.charged(share, mechanism));
    return permit.map(Outcome::charged).orElse(Outcome.SPENT);
  }

  @Override
  public boolean reserve(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, windowStart);
    boolean reserved = !isExhausted(key) && rule.reserve(new Kept(), key);
    if (reserved) {
      meters.charged(share, mechanism);
    }
    return reserved;
  }

  private boolean isExhausted(LedgerStore.Key key) {
    return ledgers.get(key).status() == LedgerStore.Status.EXHAUSTED;
  }

  @Override
  public void handBack(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, windowStart);
    LedgerStore.Entry entry = ledgers.get(key);
    put(key, entry, new LedgerStore.Entry(rule.minus(entry.ledger()), entry.status()));
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
    return new LedgerStore.Key(periods.chargeable(windowStart), share, subject);
  }

  /** How the rule reads and writes them. */
  private final class Kept implements LedgerRule.Ledgers<LedgerStore.Key> {
    @Override
    public Ledger get(LedgerStore.Key key) {
      return ledgers.get(key).ledger();
    }

    @Override
    public void put(LedgerStore.Key key, Ledger ledger) {
      LedgerStore.Entry entry = ledgers.get(key);
      LedgerCharger.this.put(key, entry, new LedgerStore.Entry(ledger, entry.status()));
    }
  }
}
