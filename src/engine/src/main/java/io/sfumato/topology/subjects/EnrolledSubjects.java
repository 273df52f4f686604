// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.roster.Roster.Member;
import io.sfumato.topology.window.Slice;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** Every enrolled subject of a window, records or none; records of others are dropped. */
final class EnrolledSubjects implements SubjectWalk {
  private final WindowSpec window;
  private final Contents.Layout layout;
  private final DatasetStore datasets;
  private final Roster roster;
  private final WindowReleases releases;
  private final LeftDatasets left;
  private final LongUnaryOperator neededFrom;

  /**
   * @param neededFrom from which window on it must be known who was enrolled, while one is decided
   */
  EnrolledSubjects(
      WindowSpec window,
      Contents.Layout layout,
      PartitionState state,
      WindowReleases releases,
      LeftDatasets left,
      LongUnaryOperator neededFrom) {
    this.window = window;
    this.layout = layout;
    this.datasets = state.datasets();
    this.roster = state.roster();
    this.releases = releases;
    this.left = left;
    this.neededFrom = neededFrom;
  }

  @Override
  public Step step(Optional<Key> cursor, long through, int most, Slice slice) {
    Key at = cursor.orElseThrow();
    List<Member> members = roster.after(at.subject(), most);
    for (Member member : members) {
      Key key = new Key(at.windowStart(), member.subject());
      if (!member.covers(key.windowStart())) {
        releases.leave(key);
        roster.forgetBefore(member, neededFrom.applyAsLong(key.windowStart()));
      } else if (!releases.release(datasetOf(key), slice)) {
        return new Step(at, Math.max(1, members.size()));
      }
      at = key;
    }
    int looked = members.size();
    int room = most - looked;
    int swept = left.sweep(window.endOf(at.windowStart()), room);
    if (swept < room) {
      at = new Key(window.endOf(at.windowStart()), "");
    }
    return new Step(at, Math.max(1, looked + swept));
  }

  private Dataset datasetOf(Key key) {
    return datasets.get(key).orElseGet(() -> new Dataset(key, layout.empty()));
  }
}
