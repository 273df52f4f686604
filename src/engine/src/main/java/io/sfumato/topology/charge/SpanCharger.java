// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.Share;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.setting.PipelineMeters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Charges one output's share where every span of a length is a period and the share affords fewer
 * windows than a span touches: each window of a subject has a ledger, and one more charge is
 * admitted if all charges of the windows of every span that holds this one stay within the share.
 * Sound only where it is public which windows are released, hence never of users: docs/privacy.md,
 * Theorem L.
 */
public final class SpanCharger implements Charger {
  private final Share share;
  private final String mechanism;
  private final int chargeId;
  private final Map<Integer, Long> costs;
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
    this.share = release.share();
    this.mechanism = release.charge().mechanism();
    this.chargeId = terms.chargeId(release.charge());
    this.costs = terms.share(share.name()).costs();
    this.calendar = calendar;
    this.ahead = release.spec().answersQueries() || costs.size() > 1 ? calendar.windows() : 0;
    this.ledgers = ledgers;
    this.periods = periods;
    this.meters = meters;
  }

  @Override
  public Verdict charge(String subject, long windowStart) {
    long window = periods.chargeable(windowStart);
    if (!admits(subject, window)) {
      return Verdict.SPENT;
    }
    LedgerStore.Key key = key(subject, window);
    LedgerStore.Entry entry = ledgers.get(key);
    ledgers.put(key, new LedgerStore.Entry(entry.ledger().plus(chargeId), entry.status()));
    meters.charged(share.name(), mechanism);
    return Verdict.CHARGED;
  }

  /** Every span of windows that holds this one, from the one that ends with it on. */
  private boolean admits(String subject, long window) {
    long size = calendar.size().toMillis();
    List<Ledger> around = new ArrayList<>();
    for (long k = -calendar.windows(); k <= ahead; k++) {
      around.add(ledgers.get(key(subject, window + k * size)).ledger());
    }
    Ledger span = Ledger.EMPTY;
    for (int end = 0; end < around.size(); end++) {
      span = span.plus(around.get(end));
      int begin = end - (int) calendar.windows();
      if (begin >= 0) {
        if (!isKnown(span) || !share.admits(span, costs, chargeId)) {
          return false;
        }
        span = span.minus(around.get(begin));
      }
    }
    return true;
  }

  /** What goes on as another share does not know what earlier charges cost. */
  private boolean isKnown(Ledger ledger) {
    return costs.keySet().containsAll(ledger.counts().keySet());
  }

  @Override
  public void handBack(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, periods.chargeable(windowStart));
    LedgerStore.Entry entry = ledgers.get(key);
    ledgers.put(key, new LedgerStore.Entry(entry.ledger().minus(chargeId), entry.status()));
  }

  @Override
  public void announced(String subject, long windowStart) {
    throw new IllegalStateException("what is spent of a span comes back");
  }

  private LedgerStore.Key key(String subject, long window) {
    return new LedgerStore.Key(window, share.name(), subject);
  }
}
