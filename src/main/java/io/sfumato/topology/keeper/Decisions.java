// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Dataset;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.names.NameLists;
import io.sfumato.topology.query.Queries;
import io.sfumato.topology.release.ForgottenMemories;
import io.sfumato.topology.release.WindowOutput;
import java.util.List;
import java.util.Optional;

/** What is done with one subject's closed window: all its outputs, in their order. */
final class Decisions {
  /** A name costs less than a subject does. */
  private static final int NAMES = 20;

  private final WindowSpec window;
  private final Boundaries boundaries;
  private final DatasetStore datasets;
  private final List<WindowOutput> outputs;
  private final Optional<NameLists> names;
  private final Optional<Queries> queries;
  private final ForgottenSubjects forgotten;
  private final ForgottenMemories memories;

  Decisions(
      WindowSpec window,
      Boundaries boundaries,
      DatasetStore datasets,
      List<WindowOutput> outputs,
      Optional<NameLists> names,
      Optional<Queries> queries,
      ForgottenSubjects forgotten,
      ForgottenMemories memories) {
    this.window = window;
    this.boundaries = boundaries;
    this.datasets = datasets;
    this.outputs = List.copyOf(outputs);
    this.names = names;
    this.queries = queries;
    this.forgotten = forgotten;
    this.memories = memories;
  }

  /** How far it came. */
  enum Outcome {
    /** All is released, or refused. */
    DECIDED,
    /** Names are left to look at: it is asked again. */
    SLICED,
    /** A release of it failed before, and waits for an operator. */
    HELD
  }

  /**
   * Goes on with one.
   *
   * @param most subjects, or so much work, at least 1
   */
  Outcome decide(Dataset dataset, int most) {
    Key key = dataset.key();
    if (outputs.stream().anyMatch(output -> output.isHeld(key))) {
      return Outcome.HELD;
    }
    long windowEnd = window.endOf(key.windowStart());
    long timestamp = boundaries.timestampOf(windowEnd);
    if (names.isPresent()) {
      switch (names.get().decide(key, timestamp, NAMES * most)) {
        case SLICED -> {
          return Outcome.SLICED;
        }
        case HELD -> {
          return Outcome.HELD;
        }
        case DECIDED -> {}
      }
    }
    memories.reach(key.subject(), key.windowStart());
    outputs.forEach(output -> output.release(dataset, timestamp));
    if (queries.isEmpty() || forgotten.contains(key.subject(), windowEnd)) {
      datasets.delete(key);
    }
    return Outcome.DECIDED;
  }

  /** Drops a dataset's names, which nobody releases. */
  void drop(Key key) {
    names.ifPresent(lists -> lists.drop(key));
  }

  /** A subject is not released in a window: what draws keep of it goes. */
  void leave(Key key) {
    memories.delete(key.subject());
    names.ifPresent(lists -> lists.leave(key));
  }
}
