// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.query.Queries;
import io.sfumato.topology.release.DroppedMemories;
import io.sfumato.topology.release.ForgottenMemories;
import io.sfumato.topology.release.PartitionContext;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.setting.PipelineStopException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Releases closed windows in order, a slice at a time: by window, then by subject. A cursor in the
 * store marks what is done. WHAT is released is fixed when a window closes, so slices may be cut
 * anywhere, even by a wall clock.
 */
public final class WindowCloser {
  /** A name costs less than a subject does. */
  private static final int NAMES = 20;

  private final WindowSpec window;
  private final Subjects subjects;
  private final long keep;
  private final Boundaries boundaries;
  private final DatasetStore datasets;
  private final MetaStore meta;
  private final Decisions decisions;
  private final Optional<Queries> queries;
  private final ForgottenSubjects forgotten;
  private final ForgottenMemories memories;
  private final DroppedMemories dropped;

  private final LeftDatasets left;
  private final SubjectWalk walk;

  private Optional<Key> cursor;

  /** Every window that starts before this is decided, and what waited for it is answered. */
  private long decidedBefore = Long.MIN_VALUE;

  /** Start of the first window of the version that takes over: not this program's to release. */
  private long end = Long.MAX_VALUE;

  private boolean pending = true;

  /** The one that is done, or was last. */
  private Slice slice = new Slice(1, () -> false);

  public WindowCloser(
      PartitionContext context,
      JournalReader journal,
      PartitionState state,
      Decisions decisions,
      Optional<Queries> queries,
      ForgottenMemories memories,
      DroppedMemories dropped) {
    Pipeline pipeline = context.plan().pipeline();
    this.window = pipeline.window();
    this.subjects = pipeline.subjects();
    this.keep = pipeline.keep() * window.size().toMillis();
    this.boundaries = state.boundaries();
    this.datasets = state.datasets();
    this.meta = journal.meta();
    this.decisions = decisions;
    this.queries = queries;
    this.forgotten = state.forgotten();
    this.memories = memories;
    this.dropped = dropped;
    this.cursor = meta.cursor();
    this.left =
        new LeftDatasets(state, queries, decisions, cursor.map(this::swept), context.meters());
    this.walk = walk(state, new Contents.Layout(pipeline));
    window.begin().ifPresent(this::requireUndecidedFrom);
  }

  private SubjectWalk walk(PartitionState state, Contents.Layout layout) {
    return decisions.discovery().isPresent()
        ? new DiscoveredSubjects(
            window,
            layout,
            state,
            decisions,
            this::publish,
            dataset -> slice.decides(() -> decisions.hidden(dataset)))
        // What still answers queries needs to know who was enrolled.
        : new EnrolledSubjects(
            window,
            layout,
            state,
            decisions,
            left,
            start -> Math.min(start - keep, settledBefore()),
            this::publish);
  }

  /** Of the cursor's window, those who are not enrolled may still be there: they are told of. */
  private Key swept(Key at) {
    return subjects.isFixed() ? new Key(at.windowStart(), "") : at;
  }

  /** A state that began without a beginning may be given one, but none that drops records. */
  private void requireUndecidedFrom(long begin) {
    OptionalLong undecided =
        subjects.isFixed()
            ? cursor.stream().mapToLong(Key::windowStart).findFirst()
            : boundaries.closedThrough();
    if (undecided.isPresent() && undecided.getAsLong() < begin) {
      throw PipelineStopException.beginsTooLate(undecided.getAsLong());
    }
  }

  /** A boundary has moved: there may be something to release. */
  public void wake() {
    if (cursor.isEmpty() && subjects.isFixed()) {
      boundaries.begin(window).ifPresent(start -> moveTo(new Key(start, "")));
    }
    pending = true;
  }

  /** Leaves every window that starts at {@code from} or later to the next version. */
  public void endAt(long from) {
    end = from;
    pending = true;
  }

  /** Every window that starts before this is decided, as far as this task knows. */
  public long decidedBefore() {
    return decidedBefore;
  }

  /**
   * No window that starts before this can be charged again, or handed back; known while nothing is
   * pending.
   */
  public OptionalLong overBefore() {
    OptionalLong closed = boundaries.closedThrough();
    if (closed.isEmpty() || pending || slice.isHeld()) {
      return OptionalLong.empty();
    }
    long through = Math.min(closed.getAsLong(), end);
    return OptionalLong.of(queries.isPresent() ? queries.get().overBefore(through) : through);
  }

  /** Whether the releases of a dataset, which may still be open, are decided. */
  public boolean isDecided(Key key) {
    return cursor.isPresent() && key.encode().compareTo(cursor.get().encode()) <= 0;
  }

  /** Whether a slice may find anything. */
  public boolean isPending() {
    return pending;
  }

  /** Whether it stands in front of a release that failed. */
  public boolean isHeld() {
    return slice.isHeld();
  }

  /**
   * Releases up to {@code most} subjects, and at least a part of one.
   *
   * @param time asked before each further output: whether there is time for it
   * @return how many were looked at; {@code most} whenever more is left
   */
  public int slice(int most, BooleanSupplier time) {
    if (!pending) {
      return 0;
    }
    slice = new Slice(NAMES * most, time);
    int done = queries.map(q -> q.refuse(most)).orElse(0);
    pending = done >= most;
    OptionalLong closed = boundaries.closedThrough();
    if (!pending && closed.isPresent()) {
      done += decide(Math.min(closed.getAsLong(), end), most - done);
    }
    return done;
  }

  /** Decides windows that start before {@code through}, and tidies up; says whether that is all. */
  private int decide(long through, int most) {
    int done =
        switch (subjects) {
          case OBSERVED -> observed(through, most);
          case ROSTER, LISTED, DISCOVERED -> walked(through, most);
        };
    pending = done >= most && !slice.isHeld();
    if (slice.isHeld() || pending) {
      return done;
    }
    if (queries.isPresent()) {
      // Datasets answer what waits for them before any of them is forgotten.
      done += queries.get().slice(through, most - done);
      slice.hold(queries.get().isHeld());
    }
    done += done < most ? tidy(through, most - done) : 0;
    pending = done >= most;
    if (!pending && !slice.isHeld()) {
      decidedBefore = through;
    }
    return done;
  }

  /** Every release of windows that start before {@code through} is decided. */
  private int tidy(long through, int most) {
    int done =
        queries.map(q -> q.forget(through, most)).orElseGet(() -> left.dropOfEarlierVersion(most));
    // What is held still needs its dataset, its boundaries and who was forgotten.
    long settled = Math.min(through, settledBefore());
    done += forgotten.settle(settled, most - done);
    done += memories.settle(through, most - done);
    done += dropped.drop(most - done);
    if (done < most) {
      long gone = Math.min(through - keep, settled);
      boundaries.forgetThrough(gone);
      datasets.emptied(queries.isPresent() ? gone : through);
    }
    return done;
  }

  /** No candidate waits for windows that start before this. */
  private long settledBefore() {
    return queries.map(Queries::settledBefore).orElse(Long.MAX_VALUE);
  }

  /** Windows nobody had records in cost nothing: the scan seeks to the next dataset. */
  private int observed(long through, int most) {
    int done = 0;
    Optional<Key> last = Optional.empty();
    for (Dataset dataset : datasets.after(cursor, through, most)) {
      if (!publish(dataset)) {
        break;
      }
      last = Optional.of(dataset.key());
      done++;
    }
    last.ifPresent(this::moveTo);
    return slice.isCut() ? most : done;
  }

  /** Every subject of every window that is released by what is public, records or none. */
  private int walked(long through, int most) {
    int looked = 0;
    while (looked < most
        && !slice.isHeld()
        && !slice.isCut()
        && cursor.orElseThrow().windowStart() < through) {
      SubjectWalk.Step step = walk.step(cursor.orElseThrow(), most - looked);
      looked += step.looked();
      moveTo(step.at());
    }
    return slice.isCut() ? most : looked;
  }

  /** Publishes one dataset; says whether it is done with. */
  private boolean publish(Dataset dataset) {
    return slice.decides(() -> decisions.decide(dataset, slice.names(), slice.time()));
  }

  private void moveTo(Key key) {
    cursor = Optional.of(key);
    meta.put(key);
  }
}
