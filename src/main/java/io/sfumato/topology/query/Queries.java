// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.abc.PlannedQueries;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.charge.Charger;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.query.QueryStore.Answer;
import io.sfumato.topology.query.QueryStore.Given;
import io.sfumato.topology.query.QueryStore.Key;
import io.sfumato.topology.query.QueryStore.Query;
import io.sfumato.topology.query.WaitingStore.Limits;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.Refusals;
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.setting.PipelineMeters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Decides what becomes of candidates. Whether a window is open, closed or gone is read off the
 * boundaries, hence off the journal, never off the slices' progress; a query is charged whole at
 * its first candidate, and handed back only if nothing was ever drawn or skipped for it.
 */
public final class Queries implements Waits.Hand {
  private final Pipeline pipeline;
  private final Boundaries boundaries;
  private final DatasetStore datasets;
  private final Roster roster;
  private final QueryStore store;
  private final WaitingStore waiting;
  private final Fates fates;
  private final Waits waits;
  private final ForgottenSubjects forgotten;
  private final Refusals refusals;
  private final SkippedReleases skips;
  private final PipelineMeters meters;

  /** Windows that start before this were another version's. */
  private final long since;

  /** Windows that start at this or later will be another version's. */
  private long end = Long.MAX_VALUE;

  /** Datasets that start before this are forgotten, and the answers of periods before. */
  private long goneBefore = Long.MIN_VALUE;

  private final Map<String, Output> outputs = new LinkedHashMap<>();

  private record Output(PlannedQueries planned, Charger charging, Answerer answerer) {}

  public Queries(
      Plan plan,
      long since,
      Boundaries boundaries,
      DatasetStore datasets,
      Roster roster,
      Function<PlannedRelease, Charger> charging,
      QueryStore store,
      WaitingStore waiting,
      Fates fates,
      ForgottenSubjects forgotten,
      Publisher publisher,
      Refusals refusals,
      SkippedReleases skips,
      PipelineMeters meters) {
    this.since = since;
    this.skips = skips;
    this.meters = meters;
    this.pipeline = plan.pipeline();
    this.boundaries = boundaries;
    this.datasets = datasets;
    this.roster = roster;
    this.store = store;
    this.waiting = waiting;
    this.fates = fates;
    this.waits = new Waits(waiting, fates, boundaries, this);
    this.forgotten = forgotten;
    this.refusals = refusals;
    for (PlannedQueries planned : plan.all(PlannedQueries.class)) {
      outputs.put(
          planned.spec().name(),
          new Output(planned, charging.apply(planned), new Answerer(pipeline, planned, publisher)));
    }
  }

  /** Whether this version has an output. */
  public boolean answers(String output) {
    return outputs.containsKey(output);
  }

  /** Answers a candidate, lets it wait, or refuses it. */
  public void ask(Candidate candidate, long timestamp) {
    Output output = outputs.get(candidate.output());
    boolean closed = isClosed(candidate.windowStart());
    boolean first = settle(candidate.subject(), candidate.windowStart());
    boolean held = closed && (!first || isHeld(candidate));
    if (candidate.index() >= candidate.candidates()) {
      refusals.refuse(candidate, RefusalCode.BEYOND_QUERY, timestamp);
      return;
    }
    if (candidate.windowStart() < since || candidate.windowStart() >= end) {
      refusals.refuse(candidate, RefusalCode.VERSION_CHANGED, timestamp);
      return;
    }
    Key key = key(candidate);
    Optional<Query> known = isForgotten(candidate) ? Optional.empty() : store.query(key);
    if (known.isPresent() && differs(known.get(), candidate)) {
      refusals.refuse(candidate, RefusalCode.QUERY_DIFFERS, timestamp);
      return;
    }
    byte[] digest = digest(candidate);
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
      if (output.charging().charge(candidate.subject(), candidate.windowStart())
          != Charger.Verdict.CHARGED) {
        refusals.refuse(candidate, refusals.spent(), timestamp);
        return;
      }
      Query reserved =
          new Query(candidate.windowStart(), candidate.candidates(), 0, 0, 0, Optional.empty());
      store.put(key, reserved);
      meters.asked(candidate.output(), candidate.candidates());
    }
    if (closed && !held) {
      draw(output, candidate, digest, timestamp(candidate, timestamp));
    } else {
      Query query = store.query(key).orElseThrow();
      store.put(key, query.waitingMore(1));
      store.put(key, candidate.index(), new Answer(digest, Optional.empty()));
      long longest = output.planned().spec().waiting().time().toMillis();
      waits.await(candidate, timestamp, held ? Long.MAX_VALUE : fates.deadline(timestamp, longest));
    }
  }

  /** Same contents: the stored answer, at no cost; or silence while it waits. */
  private void repeat(
      Output output,
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
    for (String output : outputs.keySet()) {
      candidates += waiting.limits(subject, output).entries();
    }
    return waits.settle(subject, candidates, windowStart);
  }

  /** Answers what a subject was asked before, as far as that is decided: its data will go. */
  public void settle(String subject) {
    settle(subject, Long.MIN_VALUE);
  }

  @Override
  public boolean isHeld(Candidate candidate) {
    return candidate.windowStart() >= since
        && skips.isHeld(outputs.get(candidate.output()).answerer().id(candidate));
  }

  private static boolean differs(Query query, Candidate candidate) {
    return query.windowStart() != candidate.windowStart()
        || query.candidates() != candidate.candidates();
  }

  /** What public facts alone speak against a new candidate. */
  private Optional<RefusalCode> refusal(Output output, Candidate candidate, boolean closed) {
    if (closed && isGone(candidate.windowStart(), output.planned().spec().keep())) {
      return Optional.of(RefusalCode.DATASET_GONE);
    }
    if (isNotEnrolled(candidate)) {
      return Optional.of(RefusalCode.UNKNOWN_SUBJECT);
    }
    if (closed) {
      return dataset(candidate).isEmpty()
          ? Optional.of(RefusalCode.UNKNOWN_SUBJECT)
          : Optional.empty();
    }
    Limits limits = waiting.limits(candidate.subject(), candidate.output());
    var allowed = output.planned().spec().waiting();
    boolean fits =
        limits.entries() < allowed.entries()
            && limits.bytes() + WaitingStore.size(candidate) <= allowed.bytes();
    return fits ? Optional.empty() : Optional.of(RefusalCode.WAITING_LIMIT);
  }

  /** Where subjects are fixed: nothing of this one is released in the candidate's window. */
  private boolean isNotEnrolled(Candidate candidate) {
    return pipeline.subjects().isFixed()
        && !roster.covers(candidate.subject(), candidate.windowStart());
  }

  /** A candidate that has waited for its window, which is closed now. */
  @Override
  public void answer(WaitingCandidate waited) {
    Candidate candidate = waited.candidate();
    long timestamp = timestamp(candidate, waited.timestamp());
    if (candidate.windowStart() < since) {
      leaveCharged(waited, timestamp);
      return;
    }
    // Who left while it waited is no longer released in its window, however far the slices are.
    if (isNotEnrolled(candidate) || dataset(candidate).isEmpty()) {
      giveUp(waited, RefusalCode.UNKNOWN_SUBJECT, timestamp);
      return;
    }
    waiting.release(waited);
    Key key = key(candidate);
    store.put(key, store.query(key).orElseThrow().waitingMore(-1));
    store.delete(key, candidate.index());
    draw(outputs.get(candidate.output()), candidate, digest(candidate), timestamp);
  }

  /**
   * An answer that failed under an earlier version, which charged it: drawn by this one it might
   * cost more. That it failed may depend on the data, so its query stays charged.
   */
  private void leaveCharged(WaitingCandidate waited, long timestamp) {
    Candidate candidate = waited.candidate();
    Key key = key(candidate);
    waiting.release(waited);
    store.delete(key, candidate.index());
    store.query(key).ifPresent(query -> store.put(key, query.skipped().waitingMore(-1)));
    refusals.refuse(candidate, RefusalCode.VERSION_CHANGED, timestamp);
  }

  /** That of the candidate or of its window's close, whichever is later: who waited is the same. */
  private long timestamp(Candidate candidate, long asked) {
    long end = pipeline.window().endOf(candidate.windowStart());
    return Math.max(asked, boundaries.timestampOf(end));
  }

  /** Draws and remembers one answer; its query is charged. */
  private void draw(Output output, Candidate candidate, byte[] digest, long timestamp) {
    ReleaseId id = output.answerer().id(candidate);
    Key key = key(candidate);
    Query query = store.query(key).orElseThrow();
    if (skips.contains(id)) {
      // It tells that its draw failed, which may depend on the data: its query stays charged.
      store.put(key, query.skipped());
      refusals.refuse(candidate, RefusalCode.OPERATOR_SKIPPED, timestamp);
      return;
    }
    Contents contents = dataset(candidate).orElseThrow();
    Optional<Answerer.Drawn> drawn;
    try {
      drawn = output.answerer().draw(candidate, query, contents, digest);
    } catch (RuntimeException e) {
      throw skips.failed(id, e);
    }
    if (drawn.isEmpty()) {
      refusals.refuse(candidate, RefusalCode.QUERY_OVER, timestamp);
      return;
    }
    Given given = new Given(drawn.get().outcome(), timestamp);
    store.put(key, drawn.get().query());
    store.put(key, candidate.index(), new Answer(digest, Optional.of(given)));
    output.answerer().publish(candidate, drawn.get().query(), given);
  }

  /**
   * Refuses what waits; a query of which nothing was drawn or skipped, and nothing waits any more,
   * is undone.
   */
  @Override
  public void giveUp(WaitingCandidate waited, RefusalCode code, long timestamp) {
    Candidate candidate = waited.candidate();
    Key key = key(candidate);
    waiting.release(waited);
    store.delete(key, candidate.index());
    // Behind an answer that was held for long the period may be over: then there is nothing to
    // undo.
    store.query(key).map(query -> query.waitingMore(-1)).ifPresent(query -> keep(key, query));
    refusals.refuse(candidate, code, timestamp);
  }

  private void keep(Key key, Query query) {
    if (query.spent() == 0 && query.waiting() == 0) {
      store.delete(key);
      outputs.get(key.output()).charging().handBack(key.subject(), query.windowStart());
    } else {
      store.put(key, query);
    }
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
    end = from;
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
    int done = datasets.deleteFront(Math.max(limit, since), most);
    // The period that the limit lies in has windows that still answer.
    long period = pipeline.budget().period().indexOf(limit);
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
    return Math.min(goneBefore(closedThrough, pipeline.keep()), waits.settledBefore());
  }

  /** Nothing waits for windows that start before this. */
  public long settledBefore() {
    return waits.settledBefore();
  }

  private Optional<Contents> dataset(Candidate candidate) {
    if (forgotten.contains(candidate.subject(), pipeline.window().endOf(candidate.windowStart()))) {
      // It may still be there, for its scheduled releases.
      return Optional.empty();
    }
    // An enrolled subject without records has no dataset either: N is public, and 0.
    return datasets.get(new DatasetStore.Key(candidate.windowStart(), candidate.subject()));
  }

  private Key key(Candidate candidate) {
    return Key.of(candidate, pipeline.budget().period().indexOf(candidate.windowStart()));
  }

  private static byte[] digest(Candidate candidate) {
    return new Framing().bytes(JournalCodec.encode(candidate)).digest();
  }

  private boolean isClosed(long windowStart) {
    OptionalLong through = boundaries.closedThrough();
    return through.isPresent() && pipeline.window().endOf(windowStart) <= through.getAsLong();
  }

  private boolean isGone(long windowStart, int keep) {
    OptionalLong through = boundaries.closedThrough();
    return through.isPresent() && windowStart < goneBefore(through.getAsLong(), keep);
  }

  /** Whether every window of the candidate's period is gone, and the memory of it with them. */
  private boolean isForgotten(Candidate candidate) {
    long period = pipeline.budget().period().indexOf(candidate.windowStart());
    OptionalLong through = boundaries.closedThrough();
    return through.isPresent()
        && pipeline.budget().period().indexOf(goneBefore(through.getAsLong(), pipeline.keep()))
            > period;
  }

  /** Windows that start before this are gone. */
  private long goneBefore(long closedThrough, int keep) {
    return closedThrough - keep * pipeline.window().size().toMillis();
  }
}
