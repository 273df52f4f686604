// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.journal.JournalClock;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.query.Withdrawals.Withdrawal;
import io.sfumato.topology.store.StagedWrites;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What becomes of candidates that wait: a function of the journal alone, however late it is asked
 * for. Of three things the first to come decides:
 *
 * <ul>
 *   <li>a boundary after which the journal's clock shows more than the deadline, and the window is
 *       still open: too late, from the time that the clock shows then;
 *   <li>an activation that takes the window from this version: refused as of its entry;
 *   <li>the boundary that closes the window: the candidate is answered.
 * </ul>
 */
public final class CandidateFates {
  private final WindowSpec window;
  private final Watermarks watermarks;
  private final JournalClock clock;
  private final Withdrawals withdrawals;
  private final WaitingStore store;
  private final LongSupplier position;

  private CandidateFates(
      WindowSpec window,
      Watermarks watermarks,
      JournalClock clock,
      Withdrawals withdrawals,
      WaitingStore store,
      LongSupplier position) {
    this.window = window;
    this.watermarks = watermarks;
    this.clock = clock;
    this.withdrawals = withdrawals;
    this.store = store;
    this.position = position;
  }

  /**
   * Those of one partition.
   *
   * @param store for what they need to know of the journal
   * @param position of the journal's entry that is being processed
   */
  public static CandidateFates of(
      WindowSpec window,
      Watermarks watermarks,
      StagedWrites store,
      WaitingStore waiting,
      LongSupplier position) {
    JournalClock clock = new JournalClock(store, watermarks);
    return new CandidateFates(window, watermarks, clock, new Withdrawals(store), waiting, position);
  }

  /** What becomes of a candidate. */
  CandidateStatus of(WaitingCandidate waiting) {
    List<Withdrawal> all = withdrawals.all();
    long askedAt = all.isEmpty() ? 0 : store.askedAt(waiting);
    long start = waiting.candidate().windowStart();
    int taken = 0;
    while (taken < all.size()
        && (all.get(taken).position() <= askedAt || all.get(taken).from() > start)) {
      taken++;
    }
    boolean closed = watermarks.isClosed(window.endOf(start));
    if (shownWhileOpen(start, taken, closed) > waiting.deadline()) {
      long before = all.stream().filter(w -> w.time() <= waiting.deadline()).count();
      return new CandidateStatus.Expired(2 * (int) before, clock.firstAfter(waiting.deadline()));
    }
    if (taken < all.size()) {
      return new CandidateStatus.Withdrawn(2 * taken + 1, all.get(taken).timestamp());
    }
    return closed ? new CandidateStatus.Due() : new CandidateStatus.Open();
  }

  /** The last time that the clock showed before anything but the deadline decided. */
  private long shownWhileOpen(long start, int taken, boolean closed) {
    if (taken < withdrawals.all().size()) {
      return withdrawals.all().get(taken).time();
    }
    return closed ? clock.lastBeforeClose(window.endOf(start)) : clock.now();
  }

  /**
   * When a candidate is too late that is asked now. It was not too late from the beginning: only
   * boundaries after it count.
   */
  public long deadline(long asked, long longest) {
    return Math.max(asked + longest, clock.now());
  }

  JournalClock clock() {
    return clock;
  }

  Withdrawals withdrawals() {
    return withdrawals;
  }

  /** Of the journal's entry that is being processed. */
  public long position() {
    return position.getAsLong();
  }

  /** Takes windows from this version, and what waits for them from now on. */
  public void withdraw(long from, long timestamp) {
    withdrawals.add(new Withdrawal(position(), from, timestamp, clock.now()));
  }
}
