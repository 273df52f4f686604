// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.gate.LedgerRule;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.version.BudgetTerms;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Charges one output's releases, or queries, to the ledgers of its subjects.
 *
 * <p>Where every span of a length is a period and the share affords fewer windows than a span
 * touches, each window of a subject has a ledger. One more charge is admitted if all charges of the
 * windows of every span that holds this one stay within the share. This is sound only where it is
 * public which windows are released, hence never for users: docs/theory/periods-and-accounts.md,
 * Theorem L.
 */
public final class LedgerCharger implements Charger {
  private final String share;
  private final String mechanism;
  private final LedgerRule rule;
  private final LedgerStore ledgers;
  private final ExpiredLedgers periods;
  private final PipelineMeters meters;
  private final Optional<Spans> spans;

  /**
   * Spans that hold a window.
   *
   * @param ahead windows after one that may be charged before it: they are decided in their order,
   *     but asked in any, and what has charges of its past may have been asked
   */
  private record Spans(SpanCalendar calendar, long ahead) {
    /** Ledgers of all their windows, from the span that ends with the window on. */
    List<LedgerStore.Key> around(LedgerStore.Key window) {
      return LongStream.rangeClosed(-calendar.windows(), ahead)
          .mapToObj(
              k ->
                  new LedgerStore.Key(
                      calendar.ledger(window.period(), k), window.share(), window.subject()))
          .toList();
    }

    /** Windows that a span touches. */
    int touched() {
      return (int) calendar.touched();
    }
  }

  /** One whose ledgers each last a period. */
  public LedgerCharger(
      PlannedRelease release,
      BudgetTerms terms,
      LedgerStore ledgers,
      ExpiredLedgers periods,
      PipelineMeters meters) {
    this(release, terms, ledgers, periods, meters, Optional.empty());
  }

  /**
   * @param calendar of the spans, where every span of a length is a period
   */
  public LedgerCharger(
      PlannedRelease release,
      BudgetTerms terms,
      LedgerStore ledgers,
      ExpiredLedgers periods,
      PipelineMeters meters,
      Optional<SpanCalendar> calendar) {
    this.share = release.share().name();
    this.mechanism = release.charge().mechanism();
    this.rule = terms.rule(release);
    this.ledgers = ledgers;
    this.periods = periods;
    this.meters = meters;
    boolean inAnyOrder = release.spec().answersQueries() || terms.share(share).costs().size() > 1;
    this.spans = calendar.map(all -> new Spans(all, inAnyOrder ? all.windows() : 0));
  }

  @Override
  public Outcome charge(ReleaseId id) {
    LedgerStore.Key key = key(id.subject(), id.windowStart());
    if (isExhausted(key)) {
      return Outcome.EXHAUSTED;
    }
    Optional<Permit> permit = rule.charge(ledgers, around(key), touched(), key, id);
    permit.ifPresent(given -> meters.charged(share, mechanism));
    return permit.map(Outcome::charged).orElse(Outcome.SPENT);
  }

  @Override
  public boolean reserve(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, windowStart);
    boolean reserved = !isExhausted(key) && rule.reserve(ledgers, around(key), touched(), key);
    if (reserved) {
      meters.charged(share, mechanism);
    }
    return reserved;
  }

  private boolean isExhausted(LedgerStore.Key key) {
    return ledgers.entry(key).status() == LedgerStore.Status.EXHAUSTED;
  }

  /** Ledgers whose charges count together with those of one. */
  private List<LedgerStore.Key> around(LedgerStore.Key key) {
    return spans.map(all -> all.around(key)).orElseGet(() -> List.of(key));
  }

  private int touched() {
    return spans.map(Spans::touched).orElse(1);
  }

  @Override
  public void handBack(String subject, long windowStart) {
    LedgerStore.Key key = key(subject, windowStart);
    ledgers.put(key, rule.minus(ledgers.get(key)));
  }

  @Override
  public void announced(String subject, long windowStart) {
    if (spans.isPresent()) {
      throw new IllegalStateException("what is spent of a span comes back");
    }
    LedgerStore.Key key = key(subject, windowStart);
    ledgers.put(key, new LedgerStore.Entry(ledgers.get(key), LedgerStore.Status.EXHAUSTED));
  }

  private LedgerStore.Key key(String subject, long windowStart) {
    return new LedgerStore.Key(periods.chargeable(windowStart), share, subject);
  }
}
