// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.query.Queries;
import io.sfumato.topology.release.DroppedMemories;
import io.sfumato.topology.release.ForgottenMemories;
import io.sfumato.topology.release.PartitionContext;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.window.ClosedWindows;
import io.sfumato.topology.window.Slice;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Closed windows of subjects: what is drawn of their datasets is released. A cursor in the store
 * marks what is done: by window, then by subject.
 */
final class ClosedDatasets implements ClosedWindows {
  private final WindowSpec window;
  private final Subjects subjects;
  private final int keep;
  private final Watermarks watermarks;
  private final DatasetStore datasets;
  private final MetaStore meta;
  private final Optional<Queries> queries;
  private final ForgottenSubjects forgotten;
  private final ForgottenMemories memories;
  private final DroppedMemories dropped;

  private final LeftDatasets left;
  private final SubjectWalk walk;

  private Optional<Key> cursor;

  /**
   * @throws PipelineStopException if the file's windows begin behind some that are not decided
   */
  ClosedDatasets(
      PartitionContext context,
      JournalReader journal,
      PartitionState state,
      WindowReleases releases,
      Optional<Queries> queries,
      ForgottenMemories memories,
      DroppedMemories dropped) {
    Pipeline pipeline = context.plan().pipeline();
    this.window = pipeline.window();
    this.subjects = pipeline.subjects();
    this.keep = pipeline.keep();
    this.watermarks = state.watermarks();
    this.datasets = state.datasets();
    this.meta = journal.meta();
    this.queries = queries;
    this.forgotten = state.forgotten();
    this.memories = memories;
    this.dropped = dropped;
    this.cursor = meta.cursor();
    this.left =
        new LeftDatasets(state, queries, releases, cursor.map(this::swept), context.meters());
    this.walk = walk(state, releases, new Contents.Layout(pipeline));
    window.begin().ifPresent(this::requireUndecidedFrom);
  }

  private SubjectWalk walk(PartitionState state, WindowReleases releases, Contents.Layout layout) {
    return switch (subjects) {
      case OBSERVED -> new ObservedSubjects(datasets, releases);
      case DISCOVERED -> new DiscoveredSubjects(window, layout, state, releases);
      // What still answers queries needs to know who was enrolled.
      case ROSTER, LISTED ->
          new EnrolledSubjects(
              window,
              layout,
              state,
              releases,
              left,
              start -> Math.min(window.plus(start, -keep), settledBefore()));
    };
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
            : watermarks.closedThrough();
    if (undecided.isPresent() && undecided.getAsLong() < begin) {
      throw PipelineStopException.beginsTooLate(undecided.getAsLong());
    }
  }

  /** Whether the releases of a dataset, which may still be open, are decided. */
  boolean isDecided(Key key) {
    return cursor.isPresent() && key.encode().compareTo(cursor.get().encode()) <= 0;
  }

  @Override
  public OptionalLong overBefore(OptionalLong through) {
    return through.isPresent() && queries.isPresent()
        ? OptionalLong.of(queries.get().overBefore(through.getAsLong()))
        : through;
  }

  @Override
  public void wake() {
    if (cursor.isEmpty() && subjects.isFixed()) {
      watermarks.begin(window).ifPresent(start -> moveTo(new Key(start, "")));
    }
  }

  /** Refuses candidates that will not be answered, whatever else is held up. */
  @Override
  public int prepare(int most) {
    return queries.map(q -> q.refuse(most)).orElse(0);
  }

  @Override
  public boolean isBehind(long through) {
    return walk.isBehind(cursor, through);
  }

  @Override
  public int step(long through, int most, Slice slice) {
    SubjectWalk.Step step = walk.step(cursor, through, most, slice);
    step.at().ifPresent(this::moveTo);
    return step.looked();
  }

  private void moveTo(Key key) {
    cursor = Optional.of(key);
    meta.put(key);
  }

  /** Datasets answer what waits for them before any of them is forgotten. */
  @Override
  public int tidy(long through, int most, Slice slice) {
    int done = 0;
    if (queries.isPresent()) {
      done = queries.get().slice(through, most);
      slice.hold(queries.get().isHeld());
    }
    return done < most ? done + forget(through, most - done) : done;
  }

  /** Every release of windows that start before {@code through} is decided. */
  private int forget(long through, int most) {
    int done =
        queries.map(q -> q.forget(through, most)).orElseGet(() -> left.dropOfEarlierVersion(most));
    // What is held still needs its dataset, its boundaries and who was forgotten.
    long settled = Math.min(through, settledBefore());
    done += forgotten.settle(settled, most - done);
    done += memories.settle(through, most - done);
    done += dropped.drop(most - done);
    if (done < most) {
      long gone = Math.min(window.plus(through, -keep), settled);
      watermarks.forgetThrough(gone);
      datasets.emptied(queries.isPresent() ? gone : through);
    }
    return done;
  }

  /** No candidate waits for windows that start before this. */
  private long settledBefore() {
    return queries.map(Queries::settledBefore).orElse(Long.MAX_VALUE);
  }
}
