// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.query.Queries;
import io.sfumato.topology.release.Discovery;
import io.sfumato.topology.release.ForgottenMemories;
import io.sfumato.topology.release.PartialRelease;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.release.WindowOutput;
import io.sfumato.topology.selection.PartitionSelection;
import io.sfumato.topology.window.Slice;
import io.sfumato.topology.window.Slice.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What is done with one subject's closed window: all its outputs, in their order. */
final class WindowReleases {
  private final WindowSpec window;
  private final Watermarks watermarks;
  private final DatasetStore datasets;
  private final ForgottenSubjects forgotten;
  private final Outputs outputs;
  private final Optional<Queries> queries;
  private final ForgottenMemories memories;
  private final PartialRelease partial;

  /**
   * What is published of windows.
   *
   * @param scheduled in their order
   * @param discovery the one that finds subjects, if there is one
   * @param names lists of names, if there are any
   */
  record Outputs(
      List<WindowOutput> scheduled,
      Optional<Discovery> discovery,
      Optional<PartitionSelection> names) {
    Outputs {
      scheduled = List.copyOf(scheduled);
    }
  }

  WindowReleases(
      WindowSpec window,
      PartitionState state,
      Outputs outputs,
      Optional<Queries> queries,
      ForgottenMemories memories,
      PartialRelease partial) {
    this.window = window;
    this.watermarks = state.watermarks();
    this.datasets = state.datasets();
    this.forgotten = state.forgotten();
    this.outputs = outputs;
    this.queries = queries;
    this.memories = memories;
    this.partial = partial;
  }

  /** Releases one dataset, if the slice has time for it; says whether it is done with. */
  boolean release(Dataset dataset, Slice slice) {
    return slice.decides(() -> decide(dataset, slice.names(), slice.time()));
  }

  /** The same of one that is not public: the output that finds subjects, and nothing else. */
  boolean releaseHidden(Dataset dataset, Slice slice) {
    return slice.decides(() -> hidden(dataset, slice.time()));
  }

  /**
   * Goes on with one.
   *
   * @param most names to look at, at least 1
   * @param mayContinue whether there is time for another output
   */
  private Outcome decide(Dataset dataset, int most, BooleanSupplier mayContinue) {
    Key key = dataset.key();
    if (outputs.scheduled().stream().anyMatch(output -> output.isHeld(key))) {
      return Outcome.HELD;
    }
    long windowEnd = window.endOf(key.windowStart());
    long timestamp = watermarks.timestampOf(windowEnd);
    Outcome names =
        outputs.names().map(lists -> lists.decide(key, timestamp, most)).orElse(Outcome.DECIDED);
    return names == Outcome.DECIDED
        ? released(dataset, timestamp, outputs.scheduled(), mayContinue)
        : names;
  }

  private Outcome hidden(Dataset dataset, BooleanSupplier mayContinue) {
    WindowOutput found = outputs.discovery().orElseThrow().ofHidden();
    if (found.isHeld(dataset.key())) {
      return Outcome.HELD;
    }
    drop(dataset.key());
    long windowEnd = window.endOf(dataset.key().windowStart());
    return released(dataset, watermarks.timestampOf(windowEnd), List.of(found), mayContinue);
  }

  private Outcome released(
      Dataset dataset, long timestamp, List<WindowOutput> of, BooleanSupplier mayContinue) {
    Key key = dataset.key();
    memories.reach(key.subject(), key.windowStart());
    int first = partial.outputs(key);
    for (int next = first; next < of.size(); next++) {
      if (next > first && !mayContinue.getAsBoolean()) {
        partial.put(key, next);
        return Outcome.SLICED;
      }
      of.get(next).release(dataset, timestamp);
    }
    partial.clear();
    if (queries.isEmpty() || forgotten.contains(key.subject(), window.endOf(key.windowStart()))) {
      datasets.delete(key);
    }
    return Outcome.DECIDED;
  }

  /** The output that finds subjects, if there is one. */
  Optional<Discovery> discovery() {
    return outputs.discovery();
  }

  /** Drops a dataset's names, which nobody releases. */
  void drop(Key key) {
    outputs.names().ifPresent(lists -> lists.drop(key));
  }

  /** A subject is not released in a window: what draws keep of it goes. */
  void leave(Key key) {
    memories.delete(key.subject());
    outputs.names().ifPresent(lists -> lists.leave(key));
  }
}
