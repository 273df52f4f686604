// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.abc.PlannedAbc;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.budget.Charger;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.query.QueryStore.Answer;
import io.sfumato.topology.query.QueryStore.Key;
import io.sfumato.topology.query.QueryStore.Query;
import io.sfumato.topology.query.WaitingStore.Limits;
import io.sfumato.topology.release.PartitionContext;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.release.Refusals;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides what becomes of candidates. Whether a window is open, closed or gone is read off the
 * boundaries, hence off the journal, never off the slices' progress; a query is charged whole at
 * its first candidate, and handed back only if nothing was ever drawn or skipped for it.
 */
public final class Queries {
  private final Pipeline pipeline;
  private final DatasetStore datasets;
  private final QueryStore store;
  private final WaitingStore waiting;
  private final CandidateFates statuses;
  private final QueryWindows windows;
  private final Askable askable;
  private final QueryAnswers answers;
  private final WaitingCandidates waits;
  private final Refusals refusals;
  private final PipelineMeters meters;

  /** Datasets that start before this are forgotten, and the answers of periods before. */
  private long goneBefore = Long.MIN_VALUE;

  /**
   * @param since start of the first window of this version
   * @param charging who charges a query
   */
  public Queries(
      PartitionContext context,
      long since,
      PartitionState state,
      Function<PlannedRelease, Charger> charging,
      QueryStores stores) {
    Plan plan = context.plan();
    this.meters = context.meters();
    this.pipeline = plan.pipeline();
    this.datasets = state.datasets();
    this.store = stores.answers();
    this.waiting = stores.waiting();
    this.statuses = stores.statuses();
    this.refusals = context.refusals();
    this.windows = new QueryWindows(pipeline, state.watermarks(), since);
    Map<String, AskedOutput> outputs = new LinkedHashMap<>();
    for (PlannedAbc planned : plan.all(PlannedAbc.class)) {
      outputs.put(
          planned.spec().name(),
          new AskedOutput(
              planned,
              charging.apply(planned),
              new Answerer(planned, context.publisher(), pipeline.sums())));
    }
    this.askable = new Askable(pipeline, datasets, state.roster(), state.forgotten());
    this.answers =
        new QueryAnswers(outputs, windows, askable, store, waiting, refusals, context.skips());
    this.waits = new WaitingCandidates(waiting, statuses, state.watermarks(), answers);
  }

  /** Whether this version has an output. */
  public boolean answers(String output) {
    return answers.outputs().containsKey(output);
  }

  /** Answers a candidate, lets it wait, or refuses it. */
  public void ask(Candidate candidate, long timestamp) {
    AskedOutput output = answers.outputs().get(candidate.output());
    boolean closed = windows.isClosed(candidate.windowStart());
    boolean first = settle(candidate.subject(), candidate.windowStart());
    boolean held = closed && (!first || answers.isHeld(candidate));
    if (candidate.index() >= candidate.candidates()) {
      refusals.refuse(candidate, RefusalCode.BEYOND_QUERY, timestamp);
      return;
    }
    if (windows.areOthers(candidate.windowStart())) {
      refusals.refuse(candidate, RefusalCode.VERSION_CHANGED, timestamp);
      return;
    }
    Key key = answers.key(candidate);
    Optional<Query> known =
        windows.isForgotten(candidate.windowStart()) ? Optional.empty() : store.query(key);
    if (known.isPresent() && differs(known.get(), candidate)) {
      refusals.refuse(candidate, RefusalCode.QUERY_DIFFERS, timestamp);
      return;
    }
    byte[] digest = QueryAnswers.digest(candidate);
    Optional<Answer> before = known.flatMap(query -> store.answer(key, candidate.index()));
    if (before.isPresent()) {
      repeat(output, candidate, known.get(), before.get(), digest, timestamp);
      return;
    }
    Optional<RefusalCode> refused = refusal(output, candidate, closed);
    if (refused.isPresent()) {
      refusals.refuse(candidate, refused.get(), timestamp);
      return;
    }
    if (known.isEmpty()) {
      if (!output.charging().reserve(candidate.subject(), candidate.windowStart())) {
        refusals.refuse(candidate, refusals.spent(), timestamp);
        return;
      }
      Query reserved =
          new Query(candidate.windowStart(), candidate.candidates(), 0, 0, 0, Optional.empty());
      store.put(key, reserved);
      meters.queryAccepted(candidate.output(), candidate.candidates());
    }
    if (closed && !held) {
      answers.draw(candidate, digest, windows.timestamp(candidate, timestamp));
    } else {
      Query query = store.query(key).orElseThrow();
      store.put(key, query.waitingMore(1));
      store.put(key, candidate.index(), new Answer(digest, Optional.empty()));
      long longest = output.planned().spec().waiting().time().toMillis();
      waits.await(
          candidate, timestamp, held ? Long.MAX_VALUE : statuses.deadline(timestamp, longest));
    }
  }

  /** Same contents: the stored answer, at no cost; or silence while it waits. */
  private void repeat(
      AskedOutput output,
      Candidate candidate,
      Query query,
      Answer before,
      byte[] digest,
      long timestamp) {
    if (!before.sameContents(digest)) {
      refusals.refuse(candidate, RefusalCode.CONTENTS_DIFFER, timestamp);
    } else {
      before.given().ifPresent(given -> output.answerer().publish(candidate, query, given));
    }
  }

  /**
   * What is decided of a subject's candidates is done before anything of the subject is looked at,
   * however far the slices are: one of them may hand its query back, and make room.
   *
   * @return false if one of the given window failed before and waits for an operator
   */
  private boolean settle(String subject, long windowStart) {
    long candidates = 0;
    for (String output : answers.outputs().keySet()) {
      candidates += waiting.limits(subject, output).entries();
    }
    return waits.settle(subject, candidates, windowStart);
  }

  /** Answers what a subject was asked before, as far as that is decided: its data will go. */
  public void settle(String subject) {
    settle(subject, Long.MIN_VALUE);
  }

  private static boolean differs(Query query, Candidate candidate) {
    return query.windowStart() != candidate.windowStart()
        || query.candidates() != candidate.candidates();
  }

  /** What public facts alone speak against a new candidate. */
  private Optional<RefusalCode> refusal(AskedOutput output, Candidate candidate, boolean closed) {
    if (closed && windows.isGone(candidate.windowStart(), output.planned().spec().keep())) {
      return Optional.of(RefusalCode.DATASET_GONE);
    }
    if (askable.isNotEnrolled(candidate)) {
      return Optional.of(RefusalCode.UNKNOWN_SUBJECT);
    }
    if (closed) {
      return askable.refusal(candidate);
    }
    Limits limits = waiting.limits(candidate.subject(), candidate.output());
    var allowed = output.planned().spec().waiting();
    boolean fits =
        limits.entries() < allowed.entries()
            && limits.bytes() + WaitingStore.size(candidate) <= allowed.bytes();
    return fits ? Optional.empty() : Optional.of(RefusalCode.WAITING_LIMIT);
  }

  /**
   * A boundary has come, and the windows that it closes are closed: some wait too long for others.
   */
  public void pass(long timestamp) {
    waits.pass(timestamp);
  }

  /**
   * Refuses what will not be answered, whatever else is held up.
   *
   * @return work done; less than {@code most} only when nothing is left
   */
  public int refuse(int most) {
    return waits.refuse(most);
  }

  /**
   * Answers what waits for windows that are closed.
   *
   * @return how many were decided; fewer than {@code most} only when nothing is left, or held
   */
  public int slice(long closedThrough, int most) {
    return waits.answer(closedThrough, most);
  }

  /** Whether the last slice stopped in front of an answer that failed. */
  public boolean isHeld() {
    return waits.isHeld();
  }

  /** Windows that start at {@code from} or later belong to the next version. */
  public void leaveFrom(long from) {
    windows.leaveFrom(from);
  }

  /** The same, and what waits for them will be refused. */
  public void endAt(long from, long timestamp) {
    leaveFrom(from);
    waits.withdraw(from, timestamp);
  }

  /**
   * Forgets closed datasets that answer no more, and the answers of periods that are over.
   *
   * @return how many; fewer than {@code most} only when nothing is left
   */
  public int forget(long closedThrough, int most) {
    long limit = overBefore(closedThrough);
    if (limit <= goneBefore) {
      return 0;
    }
    int done = datasets.deleteFront(Math.max(limit, windows.since()), most);
    // The period that the limit lies in has windows that still answer.
    long period = windows.period(limit);
    done += done < most ? store.forgetBefore(period, most - done) : 0;
    if (done < most) {
      goneBefore = limit;
    }
    return done;
  }

  /**
   * Of windows that start before this no query is charged, and nothing waits, or fails, for them.
   */
  public long overBefore(long closedThrough) {
    return Math.min(windows.goneBefore(closedThrough, pipeline.keep()), waits.settledBefore());
  }

  /** Nothing waits for windows that start before this. */
  public long settledBefore() {
    return waits.settledBefore();
  }
}
