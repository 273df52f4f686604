// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManySourcesTest {
  private static final int SOURCES = 3;

  private final KeeperRun state = new KeeperRun();
  private final Plan plan = Fixture.plan(Fixture.YAML);
  private final Deployment deployment = Fixture.deployment(SOURCES, PipelineMeters.none());

  private int scansOf(List<? extends JournalEntry> journal) {
    int before = state.scans(Names.DATASET_STORE);
    state.run(plan, deployment, journal);
    return state.scans(Names.DATASET_STORE) - before;
  }

  private static List<JournalEntry> watermarks(int source, int from, int to) {
    List<JournalEntry> entries = new ArrayList<>();
    for (int window = from; window <= to; window++) {
      entries.add(new Watermark(source, Fixture.NOW + window * 10_000L));
    }
    return entries;
  }

  /**
   * Every source partition tells every journal partition: only the last of them closes anything.
   */
  @Test
  void shouldLookForDatasetsOnlyWhenAllSourcesHavePassedMore() {
    List<JournalEntry> begin = new ArrayList<>();
    for (int source = 0; source < SOURCES; source++) {
      begin.add(new Genesis(source, new StateEpoch(7, 7)));
      begin.addAll(watermarks(source, 0, 0));
    }
    begin.add(new Observation("ann", Fixture.NOW, 0, List.of(), 0));
    state.run(plan, deployment, begin);
    int restart = scansOf(List.of());
    assertThat(scansOf(watermarks(0, 1, 50))).as("one is ahead").isEqualTo(restart);
    assertThat(scansOf(watermarks(1, 1, 50))).as("two are ahead").isEqualTo(restart);
    assertThat(state.run(plan, deployment, watermarks(2, 1, 1)))
        .as("all have passed the first window")
        .hasSize(1);
  }
}
