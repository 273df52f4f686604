// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.query.Queries;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.roster.Roster;
import java.util.List;
import java.util.Optional;

/**
 * Datasets that no release takes with it: of subjects that are not enrolled, and those that an
 * earlier version kept for queries.
 */
final class LeftDatasets {
  private final DatasetStore datasets;
  private final Roster roster;
  private final PipelineMeters meters;

  private final Optional<Queries> queries;
  private final WindowReleases releases;

  /** How far the datasets of closed windows were looked through for those of nobody enrolled. */
  private Optional<Key> swept = Optional.empty();

  /**
   * Up to where datasets are decided that an earlier version kept for queries: this one has none.
   */
  private Optional<Key> leftBehind;

  /**
   * @param queries that datasets of enrolled subjects are left to, if there are any
   * @param cursor up to where releases are decided
   */
  LeftDatasets(
      PartitionState state,
      Optional<Queries> queries,
      WindowReleases releases,
      Optional<Key> cursor,
      PipelineMeters meters) {
    this.datasets = state.datasets();
    this.roster = state.roster();
    this.queries = queries;
    this.releases = releases;
    this.meters = meters;
    this.leftBehind = queries.isPresent() ? Optional.empty() : cursor;
  }

  /**
   * Drops what an earlier version kept for queries.
   *
   * @return how many; fewer than {@code most} only when none is left
   */
  int dropOfEarlierVersion(int most) {
    if (leftBehind.isEmpty()) {
      return 0;
    }
    int done = datasets.deleteFrontThrough(leftBehind.get(), most);
    if (done < most) {
      leftBehind = Optional.empty();
    }
    return done;
  }

  /**
   * Drops what was taken in of subjects that are not enrolled in its window, which is decided.
   *
   * @return how many datasets it looked at; fewer than {@code most} only when none is left
   */
  int sweep(long before, int most) {
    Key end = new Key(before, "");
    if (swept.isPresent() && swept.get().encode().compareTo(end.encode()) >= 0) {
      return 0;
    }
    List<Dataset> left = datasets.after(swept, before, most);
    for (Dataset dataset : left) {
      Key key = dataset.key();
      swept = Optional.of(key);
      // Of those who are enrolled only datasets are left that answer queries, or did.
      boolean enrolled = roster.covers(key.subject(), key.windowStart());
      if (queries.isEmpty() || !enrolled) {
        datasets.delete(key);
      }
      if (!enrolled) {
        releases.drop(key);
        meters.notEnrolled(dataset.recordsTold());
      }
    }
    if (left.size() < most) {
      // Nothing comes to decided windows: whoever began in front of them again would pass all that
      // was deleted there, one by one.
      swept = Optional.of(end);
    }
    return left.size();
  }
}
