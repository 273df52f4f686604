// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.query.QueryStore.Answer;
import io.sfumato.topology.query.QueryStore.Given;
import io.sfumato.topology.query.QueryStore.Key;
import io.sfumato.topology.query.QueryStore.Query;
import io.sfumato.topology.release.Refusals;
import io.sfumato.topology.release.SkippedReleases;
import java.util.Map;
import java.util.Optional;

/**
 * Answers candidates of windows that are closed, and gives up those that will not be answered. A
 * query is handed back only if nothing was ever drawn or skipped for it.
 */
final class QueryAnswers implements WaitingCandidates.Actions {
  private final Map<String, AskedOutput> outputs;
  private final QueryWindows windows;
  private final Askable askable;
  private final QueryStore store;
  private final WaitingStore waiting;
  private final Refusals refusals;
  private final SkippedReleases skips;

  QueryAnswers(
      Map<String, AskedOutput> outputs,
      QueryWindows windows,
      Askable askable,
      QueryStore store,
      WaitingStore waiting,
      Refusals refusals,
      SkippedReleases skips) {
    this.outputs = outputs;
    this.windows = windows;
    this.askable = askable;
    this.store = store;
    this.waiting = waiting;
    this.refusals = refusals;
    this.skips = skips;
  }

  /** By name. */
  Map<String, AskedOutput> outputs() {
    return outputs;
  }

  /** Of a candidate's query. */
  Key key(Candidate candidate) {
    return Key.of(candidate, windows.period(candidate.windowStart()));
  }

  /** Of all that a candidate says. */
  static byte[] digest(Candidate candidate) {
    return new CanonicalEncoder().bytes(JournalCodec.encode(candidate)).digest();
  }

  @Override
  public boolean isHeld(Candidate candidate) {
    return candidate.windowStart() >= windows.since()
        && skips.isHeld(outputs.get(candidate.output()).answerer().id(candidate));
  }

  /** A candidate that has waited for its window, which is closed now. */
  @Override
  public void answer(WaitingCandidate waited) {
    Candidate candidate = waited.candidate();
    long timestamp = windows.timestamp(candidate, waited.timestamp());
    if (candidate.windowStart() < windows.since()) {
      leaveCharged(waited, timestamp);
      return;
    }
    // Who left while it waited is no longer released in its window, however far the slices are.
    Optional<RefusalCode> refused = askable.refusal(candidate);
    if (refused.isPresent()) {
      giveUp(waited, refused.get(), timestamp);
      return;
    }
    waiting.release(waited);
    Key key = key(candidate);
    store.put(key, store.query(key).orElseThrow().waitingMore(-1));
    store.delete(key, candidate.index());
    draw(candidate, digest(candidate), timestamp);
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

  /** Draws and remembers one answer; its query is charged. */
  void draw(Candidate candidate, byte[] digest, long timestamp) {
    Answerer answerer = outputs.get(candidate.output()).answerer();
    ReleaseId id = answerer.id(candidate);
    Key key = key(candidate);
    Query query = store.query(key).orElseThrow();
    if (skips.contains(id)) {
      // It tells that its draw failed, which may depend on the data: its query stays charged.
      store.put(key, query.skipped());
      refusals.refuse(candidate, RefusalCode.OPERATOR_SKIPPED, timestamp);
      return;
    }
    Secret<Contents> contents = askable.dataset(candidate).orElseThrow().contents();
    Optional<Answerer.Drawn> drawn;
    try {
      drawn = answerer.draw(candidate, query, contents, digest);
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
    answerer.publish(candidate, drawn.get().query(), given);
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
    // After an answer that was held for long the period may be over: then there is nothing to
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
}
