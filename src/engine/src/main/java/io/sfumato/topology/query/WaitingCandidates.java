// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.query.CandidateStatus.Due;
import io.sfumato.topology.query.CandidateStatus.Expired;
import io.sfumato.topology.query.CandidateStatus.Open;
import io.sfumato.topology.store.Scan;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Does to candidates that wait what the journal has decided of them, a slice at a time; and at once
 * where somebody looks at what is theirs. What is of one window and subject is done in the
 * journal's order, wherever slices are cut.
 */
final class WaitingCandidates {
  private final WaitingStore store;
  private final CandidateFates statuses;
  private final Watermarks watermarks;
  private final Actions actions;

  /** Nothing waits for windows that start before this: it spares looking for it. */
  private long settledBefore = Long.MIN_VALUE;

  /** All that were too late by this time are refused. */
  private long refusedUntil = Long.MIN_VALUE;

  /** Goes through what waits for windows that another version has. */
  private Optional<Scan> withdrawn;

  /** Whether the last slice stopped in front of an answer that failed. */
  private boolean held;

  WaitingCandidates(
      WaitingStore store, CandidateFates statuses, Watermarks watermarks, Actions actions) {
    this.store = store;
    this.statuses = statuses;
    this.watermarks = watermarks;
    this.actions = actions;
    this.withdrawn = withdrawn();
  }

  /** What is done to a candidate. */
  interface Actions {
    /** Whether the candidate's answer failed and waits for an operator. */
    boolean isHeld(Candidate candidate);

    /** The candidate's window is closed. */
    void answer(WaitingCandidate waiting);

    /** The candidate will not be answered. */
    void giveUp(WaitingCandidate waiting, RefusalCode code, long timestamp);
  }

  private record Decided(WaitingCandidate waiting, CandidateStatus status) {
    private long deadline() {
      return status instanceof Expired ? waiting.deadline() : Long.MAX_VALUE;
    }
  }

  private static final Comparator<Decided> AS_THE_JOURNAL =
      Comparator.comparingInt((Decided decided) -> decided.status().place())
          .thenComparingLong(Decided::deadline);

  private Optional<Scan> withdrawn() {
    OptionalLong from = statuses.withdrawals().from();
    return from.isPresent() ? Optional.of(store.scanFrom(from.getAsLong())) : Optional.empty();
  }

  /** An open window's candidate, or one that stands after an answer that failed. */
  void await(Candidate candidate, long timestamp, long deadline) {
    store.await(candidate, timestamp, deadline, statuses.position());
    settledBefore = Math.min(settledBefore, candidate.windowStart());
  }

  /** A boundary has come, and the windows that it closes are closed. */
  void pass(long timestamp) {
    statuses.clock().pass(timestamp);
  }

  /** Windows that start at a time or after it are another version's from now on. */
  void withdraw(long from, long timestamp) {
    statuses.withdraw(from, timestamp);
    withdrawn = withdrawn();
  }

  /**
   * Does to all that waits of one subject what is decided.
   *
   * @param candidates how many of the subject wait
   * @return false if an answer of a given window failed before and waits for an operator
   */
  boolean settle(String subject, long candidates, long windowStart) {
    boolean first = true;
    if (candidates > 0 && isBehind()) {
      for (List<WaitingCandidate> group : store.waitingOf(subject)) {
        first &= settle(group) || group.get(0).candidate().windowStart() != windowStart;
      }
    }
    return first;
  }

  /** Whether something may be decided that is not done. */
  private boolean isBehind() {
    return withdrawn.isPresent()
        || statuses.clock().now() > refusedUntil
        || watermarks.closedThrough().orElse(Long.MIN_VALUE) > settledBefore;
  }

  /**
   * What waits of one subject for one window.
   *
   * @return false if it stands in front of an answer that failed
   */
  private boolean settle(List<WaitingCandidate> group) {
    List<Decided> decided =
        group.stream()
            .map(waiting -> new Decided(waiting, statuses.of(waiting)))
            .filter(one -> !(one.status() instanceof Open))
            .sorted(AS_THE_JOURNAL)
            .toList();
    for (Decided one : decided) {
      if (one.status() instanceof Due && actions.isHeld(one.waiting().candidate())) {
        return false;
      }
      one.status().carryOut(one.waiting(), actions);
    }
    return true;
  }

  /**
   * Refuses what is too late, and what waits for another version's windows.
   *
   * @return work done; less than {@code most} only when nothing is left
   */
  int refuse(int most) {
    int done = expire(most);
    return done < most ? done + leave(most - done) : done;
  }

  private int expire(int most) {
    long now = statuses.clock().now();
    if (now <= refusedUntil) {
      return 0;
    }
    List<WaitingCandidate> late = store.dueBefore(now, most);
    for (WaitingCandidate waiting : late) {
      if (store.waits(waiting) && statuses.of(waiting) instanceof Expired expired) {
        if (withdrawn.isPresent()) {
          settle(groupOf(waiting));
        } else {
          expired.carryOut(waiting, actions);
        }
      }
    }
    if (late.size() < most) {
      refusedUntil = now;
      statuses.clock().forgetTimes();
    }
    return late.size();
  }

  private int leave(int most) {
    if (withdrawn.isEmpty()) {
      return 0;
    }
    List<WaitingCandidate> found = store.next(withdrawn.get(), most);
    for (WaitingCandidate waiting : found) {
      if (store.waits(waiting) && !(statuses.of(waiting) instanceof Open)) {
        settle(groupOf(waiting));
      }
    }
    if (found.size() < most) {
      statuses.withdrawals().settle();
      withdrawn = Optional.empty();
    }
    return found.size();
  }

  private List<WaitingCandidate> groupOf(WaitingCandidate waiting) {
    Candidate candidate = waiting.candidate();
    return store.waitingFor(candidate.windowStart(), candidate.subject());
  }

  /**
   * Answers what waits for closed windows that start before a time.
   *
   * @return how many were decided; fewer than {@code most} only when nothing is left, or held
   */
  int answer(long before, int most) {
    held = false;
    if (before <= settledBefore) {
      return 0;
    }
    List<WaitingCandidate> next = store.closedBefore(before, most);
    boolean all = next.size() < most;
    int done = 0;
    while (done < next.size()) {
      int end = endOfGroup(next, done);
      boolean whole = all || end < next.size();
      List<WaitingCandidate> group = whole ? next.subList(done, end) : groupOf(next.get(done));
      if (!settle(group)) {
        held = true;
        return done;
      }
      store.passClosed(group.get(group.size() - 1));
      done = Math.max(end, done + group.size());
    }
    if (all) {
      settledBefore = before;
      statuses.clock().forgetCloses(before);
    }
    return done;
  }

  private static int endOfGroup(List<WaitingCandidate> waiting, int begin) {
    int end = begin + 1;
    Candidate first = waiting.get(begin).candidate();
    while (end < waiting.size()
        && waiting.get(end).candidate().windowStart() == first.windowStart()
        && waiting.get(end).candidate().subject().equals(first.subject())) {
      end++;
    }
    return end;
  }

  /** Nothing waits for windows that start before this. */
  long settledBefore() {
    return settledBefore;
  }

  /** Whether the last slice of answers stopped in front of one that failed. */
  boolean isHeld() {
    return held;
  }
}
