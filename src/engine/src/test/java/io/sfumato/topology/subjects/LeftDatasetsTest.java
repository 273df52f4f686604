// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plans;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.WornStore;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.store.StagedWrites;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Windows far behind are looked through one after the other. */
class LeftDatasetsTest {
  private static final int WINDOWS = 1_000;
  private static final int MOST = 50;

  private final WornStore rows = new WornStore("datasets");

  /** Everybody's datasets are released, and nobody asks: each is deleted as its window closes. */
  @Test
  void shouldNotPassDeletedWindowsAgain() throws Exception {
    StagedWrites staged = new StagedWrites(rows);
    DatasetStore datasets =
        new DatasetStore(
            staged, new Contents.Layout(Plans.example("diary.yaml").pipeline()), () -> 0L);
    LeftDatasets left =
        new LeftDatasets(
            new PartitionState(null, datasets, new Everybody(), null),
            Optional.empty(),
            null,
            Optional.empty(),
            null);
    for (long window = 0; window < WINDOWS; window++) {
      datasets.add(new Observation("ann", window, 0, List.of(), 0));
    }
    datasets.write();
    staged.flush();
    long first = steps(datasets, staged, left, 0, WINDOWS / 2);
    long second = steps(datasets, staged, left, WINDOWS / 2, WINDOWS);
    assertThat(second).isLessThan(first + first / 10);
    assertThat(first).isLessThan(10L * WINDOWS);
  }

  /** Rows that are passed while windows are released and swept. */
  private long steps(
      DatasetStore datasets, StagedWrites staged, LeftDatasets left, long from, long to) {
    long before = rows.operations();
    for (long window = from; window < to; window++) {
      datasets.delete(new Key(window, "ann"));
      staged.flush();
      assertThat(left.sweep(window + 1, MOST)).isZero();
    }
    return rows.operations() - before;
  }

  private static final class Everybody implements Roster {
    @Override
    public boolean covers(String subject, long windowStart) {
      return true;
    }

    @Override
    public boolean contains(String subject) {
      return true;
    }

    @Override
    public List<Member> after(String subject, int most) {
      return List.of();
    }

    @Override
    public void forgetBefore(Member member, long windowStart) {
      throw new AssertionError("nobody leaves");
    }
  }
}
