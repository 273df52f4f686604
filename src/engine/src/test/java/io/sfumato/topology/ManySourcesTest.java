// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SourceTopics;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
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

  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1 }
      subjects: [west]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 2, delta: 5e-7 }, windows: 2 }
      """;

  /** What each source announces, and the end of the first window. */
  private static List<JournalEntry> firstWindow() {
    List<JournalEntry> journal = new ArrayList<>();
    for (int source = 0; source < SOURCES; source++) {
      journal.add(new Genesis(source, new StateEpoch(7, 7)));
      journal.addAll(watermarks(source, 0, 1));
    }
    return journal;
  }

  /** Behind users a partition of their journal is a source, however many topics they have. */
  @Test
  void shouldCloseWindowsOfSubjectsWhenThePartitionsOfUsersHavePassedThem() {
    SourceTopics topics =
        new SourceTopics(
            List.of(
                new SourceTopics.Topic("first", "1", 1),
                new SourceTopics.Topic("second", "2", 1),
                new SourceTopics.Topic("third", "3", 1)));
    Deployment ofTopics =
        Fixture.deployment(topics, PipelineMeters.none(), NoiseSecret.parse(Fixture.KEY).derive());
    assertThat(new PopulationRun().outputs(Fixture.plan(USERS), ofTopics, firstWindow()))
        .hasSize(1);
  }

  @Test
  void shouldSayWhichPartitionOfUsersHasPassedAWindow() {
    List<KeyValueStore<Bytes, byte[]>> stores =
        new ArrayList<>(
            MemoryStores.named(
                    List.of(Names.META_STORE, Names.LEDGER_STORE, Names.CONTRIBUTION_STORE))
                .values());
    ProcessorRun<byte[]> users = ProcessorRun.users(Fixture.plan(USERS), deployment, stores, 1);
    int offset = 0;
    for (JournalEntry entry : firstWindow()) {
      users.take(offset++, JournalCodec.encode(entry), Fixture.NOW);
    }
    users.punctuate();
    assertThat(users.forwarded())
        .extracting(ProcessorRun.Forwarded::entry)
        .contains(new Genesis(1, new StateEpoch(7, 7)), new Watermark(1, Fixture.NOW + 10_000));
  }
}
