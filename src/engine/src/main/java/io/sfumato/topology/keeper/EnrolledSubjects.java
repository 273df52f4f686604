// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.roster.Roster.Member;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/** Every enrolled subject of a window, records or none; records of others are dropped. */
final class EnrolledSubjects implements SubjectWalk {
  private final WindowSpec window;
  private final Contents.Layout layout;
  private final DatasetStore datasets;
  private final Roster roster;
  private final Decisions decisions;
  private final LeftDatasets left;
  private final LongUnaryOperator neededFrom;
  private final Predicate<Dataset> publish;

  /**
   * @param neededFrom from which window on it must be known who was enrolled, while one is decided
   * @param publish false where a release is held
   */
  EnrolledSubjects(
      WindowSpec window,
      Contents.Layout layout,
      PartitionState state,
      Decisions decisions,
      LeftDatasets left,
      LongUnaryOperator neededFrom,
      Predicate<Dataset> publish) {
    this.window = window;
    this.layout = layout;
    this.datasets = state.datasets();
    this.roster = state.roster();
    this.decisions = decisions;
    this.left = left;
    this.neededFrom = neededFrom;
    this.publish = publish;
  }

  @Override
  public Step step(Key from, int most) {
    Key at = from;
    List<Member> members = roster.after(at.subject(), most);
    for (Member member : members) {
      Key key = new Key(at.windowStart(), member.subject());
      if (!member.covers(key.windowStart())) {
        decisions.leave(key);
        roster.forgetBefore(member, neededFrom.applyAsLong(key.windowStart()));
      } else if (!publish.test(datasetOf(key))) {
        return new Step(at, Math.max(1, members.size()));
      }
      at = key;
    }
    int looked = members.size();
    int room = most - looked;
    if (room > 0) {
      int swept = left.sweep(window.endOf(at.windowStart()), room);
      looked += swept;
      if (swept < room) {
        at = new Key(window.endOf(at.windowStart()), "");
      }
    }
    return new Step(at, Math.max(1, looked));
  }

  private Dataset datasetOf(Key key) {
    return datasets.get(key).orElseGet(() -> new Dataset(key, layout.empty()));
  }
}
