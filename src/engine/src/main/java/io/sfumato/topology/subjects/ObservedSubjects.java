// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.window.Slice;
import java.util.Optional;

/** Every subject with records. Windows nobody had records in cost nothing: it seeks past them. */
final class ObservedSubjects implements SubjectWalk {
  private final DatasetStore datasets;
  private final WindowReleases releases;

  /** No dataset of a window that starts before this is left. */
  private long emptyBefore = Long.MIN_VALUE;

  ObservedSubjects(DatasetStore datasets, WindowReleases releases) {
    this.datasets = datasets;
    this.releases = releases;
  }

  @Override
  public boolean isBehind(Optional<Key> cursor, long through) {
    return emptyBefore < through;
  }

  /** Goes on through all windows. */
  @Override
  public Step step(Optional<Key> cursor, long through, int most, Slice slice) {
    int done = 0;
    Optional<Key> last = Optional.empty();
    for (Dataset dataset : datasets.after(cursor, through, most)) {
      if (!releases.release(dataset, slice)) {
        return new Step(last, done);
      }
      last = Optional.of(dataset.key());
      done++;
    }
    if (done < most) {
      emptyBefore = through;
    }
    return new Step(last, done);
  }
}
