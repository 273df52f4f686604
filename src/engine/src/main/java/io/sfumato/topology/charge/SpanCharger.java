// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

import io.sfumato.accounting.Ledger;
import io.sfumato.gate.LedgerRule;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.setting.PipelineMeters;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Charges one output's share where every span of a length is a period and the share affords fewer
 * windows than a span touches: each window of a subject has a ledger, and one more charge is
 * admitted if all charges of the windows of every span that holds this one stay within the share.
 * Sound only where it is public which windows are released, hence never of users: docs/privacy.md,
 * Theorem L.
 */
public final class SpanCharger implements Charger {
  private final String share;
  private final String mechanism;
  private final LedgerRule rule;
  private final SpanCalendar calendar;

  /**
   * Windows after one that may be charged before it: they are decided in their order, but asked in
   * any, and what has charges of its past may have been asked.
   */
  private final long ahead;

  private final PastPeriods periods;
  private final LedgerStore ledgers;
  private final PipelineMeters meters;

  public SpanCharger(
      PlannedRelease release,
      SpanCalendar calendar,
      BudgetTerms terms,
      LedgerStore ledgers,
      PastPeriods periods,
      PipelineMeters meters) {
    this.share = release.share().name();
    this.mechanism = release.charge().mechanism();
    this.rule = terms.rule(release);
    this.calendar = calendar;
    this.ahead =
        release.spec().answersQueries() || terms.share(share).costs().size() > 1
            ? calendar.windows()
            : 0;
    this.ledgers = ledgers;
    this.periods = periods;
    this.meters = meters;
  }

  @Override
  public Outcome charge(ReleaseId id) {
    long window = periods.chargeable(id.windowStart());
    LedgerStore.Key key = key(id.subject(), window);
    Optional<Permit> permit =
        rule.charge(new Kept(), around(id.subject(), window), touched(), key, id);
    permit.ifPresent(given -> meters.charged(share, mechanism));
    return permit.map(Outcome::charged).orElse(Outcome.SPENT);
  }

  @Override
  public boolean reserve(String subject, long windowStart) {
    long window = periods.chargeable(windowStart);
    boolean reserved =
        rule.reserve(new Kept(), around(subject, window), touched(), key(subject, window));
    if (reserved) {
      meters.charged(share, mechanism);
    }
    return reserved;
  }

  /** Windows that a span touches. */
  private int touched() {
    return (int) calendar.windows() + 1;
  }

  /** All windows of the spans that hold this one, from the span that ends with it on. */
  private List<LedgerStore.Key> around(String subject, long window) {
    long size = calendar.size().toMillis();
    return LongStream.rangeClosed(-calendar.windows(), ahead)
        .mapToObj(k -> key(subject, window + k * size))
        .toList();
  }

  @Override
  public void handBack(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, periods.chargeable(windowStart));
    LedgerStore.Entry entry = ledgers.get(key);
    ledgers.put(key, new LedgerStore.Entry(rule.minus(entry.ledger()), entry.status()));
  }

  @Override
  public void announced(String subject, long windowStart) {
    throw new IllegalStateException("what is spent of a span comes back");
  }

  private LedgerStore.Key key(String subject, long window) {
    return new LedgerStore.Key(window, share, subject);
  }

  /** How the rule reads and writes them. */
  private final class Kept implements LedgerRule.Ledgers<LedgerStore.Key> {
    @Override
    public Ledger get(LedgerStore.Key key) {
      return ledgers.get(key).ledger();
    }

    @Override
    public void put(LedgerStore.Key key, Ledger ledger) {
      ledgers.put(key, new LedgerStore.Entry(ledger, ledgers.get(key).status()));
    }
  }
}
