package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.DatasetStore.Dataset;
import io.sfumato.topology.DatasetStore.Key;
import io.sfumato.topology.SubjectStore.Member;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Releases closed windows in order, a slice at a time: by window, then by subject. A cursor in the
 * store marks what is done. WHAT is released is fixed when a window closes, so slices may be cut
 * anywhere, even by a wall clock.
 */
final class Closing {
  private final WindowSpec window;
  private final Subjects subjects;
  private final long keep;
  private final Contents.Layout layout;
  private final Boundaries boundaries;
  private final DatasetStore datasets;
  private final SubjectStore roster;
  private final MetaStore meta;
  private final List<WindowOutput> outputs;
  private final Optional<Queries> queries;

  private Optional<Key> cursor;
  private boolean pending = true;

  Closing(
      Plan plan,
      Boundaries boundaries,
      DatasetStore datasets,
      SubjectStore roster,
      MetaStore meta,
      List<WindowOutput> outputs,
      Optional<Queries> queries) {
    this.window = plan.pipeline().window();
    this.subjects = plan.pipeline().subjects();
    this.keep = plan.pipeline().keep() * window.size().toMillis();
    this.layout = new Contents.Layout(plan.pipeline());
    this.boundaries = boundaries;
    this.datasets = datasets;
    this.roster = roster;
    this.meta = meta;
    this.outputs = List.copyOf(outputs);
    this.queries = queries;
    this.cursor = meta.cursor();
  }

  /** A boundary has moved: there may be something to release. */
  void wake() {
    if (cursor.isEmpty() && subjects == Subjects.ROSTER) {
      boundaries.begin().ifPresent(start -> moveTo(new Key(start, "")));
    }
    pending = true;
  }

  /** Whether a slice may find anything. */
  boolean isPending() {
    return pending;
  }

  /**
   * Releases up to {@code most} subjects.
   *
   * @return how many were decided; fewer than {@code most} only when nothing is left
   */
  int slice(int most) {
    OptionalLong through = boundaries.closedThrough();
    int done = 0;
    if (pending && through.isPresent()) {
      done =
          switch (subjects) {
            case OBSERVED -> observed(through.getAsLong(), most);
            case ROSTER -> enrolled(through.getAsLong(), most);
          };
      if (queries.isPresent()) {
        // Datasets answer what waits for them before any of them is forgotten.
        done += done < most ? queries.get().slice(through.getAsLong(), most - done) : 0;
        done += done < most ? queries.get().forget(through.getAsLong(), most - done) : 0;
      }
    }
    pending = pending && done == most;
    if (!pending && through.isPresent()) {
      boundaries.forgetThrough(through.getAsLong() - keep);
    }
    return done;
  }

  /** Windows nobody had records in cost nothing: the scan seeks to the next dataset. */
  private int observed(long through, int most) {
    List<Dataset> closed = datasets.after(cursor, through, most);
    for (Dataset dataset : closed) {
      publish(dataset);
    }
    if (!closed.isEmpty()) {
      moveTo(closed.get(closed.size() - 1).key());
    }
    return closed.size();
  }

  /** Every enrolled subject of every window, records or none. */
  private int enrolled(long through, int most) {
    int looked = 0;
    while (looked < most && cursor.orElseThrow().windowStart() < through) {
      Key at = cursor.orElseThrow();
      int wanted = most - looked;
      List<Member> members = roster.after(at.subject(), wanted);
      for (Member member : members) {
        if (member.covers(at.windowStart())) {
          Key key = new Key(at.windowStart(), member.subject());
          publish(new Dataset(key, datasets.get(key).orElseGet(layout::empty)));
        } else {
          roster.forgetBefore(member, at.windowStart());
        }
      }
      looked += Math.max(1, members.size());
      moveTo(
          members.size() < wanted
              ? new Key(window.endOf(at.windowStart()), "")
              : new Key(at.windowStart(), members.get(members.size() - 1).subject()));
    }
    return looked;
  }

  private void publish(Dataset dataset) {
    long end = window.endOf(dataset.key().windowStart());
    long timestamp = boundaries.timestampOf(end);
    outputs.forEach(output -> output.release(dataset, timestamp));
    if (queries.isEmpty()) {
      datasets.delete(dataset.key());
    }
  }

  private void moveTo(Key key) {
    cursor = Optional.of(key);
    meta.put(key);
  }
}
