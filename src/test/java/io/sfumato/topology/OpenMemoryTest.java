// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.noise.Incarnation;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.SubjectFilter;
import io.sfumato.topology.keeper.KeeperProcessor;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.DrawWitness;
import io.sfumato.topology.setting.OpenMemory;
import io.sfumato.topology.setting.PipelineMeters;
import io.sfumato.topology.setting.Slices;
import io.sfumato.topology.store.StagedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenMemoryTest {
  private static final int MANY = 20_000;

  /**
   * The heap is the whole JVM's: threads that earlier tests left, and classes that are loaded at
   * the first turn, show in a difference of it. They miss the median of the turns unless they come
   * in most of them.
   */
  private static final int TURNS = 5;

  @Test
  void shouldBeSharedByThosePartitionsThatThereAre() {
    OpenMemory memory = new OpenMemory(1_000);
    OpenMemory.Share first = memory.share();
    OpenMemory.Share second = memory.share();
    assertThat(first.bytes()).isEqualTo(1_000);
    first.join();
    assertThat(first.bytes()).isEqualTo(1_000);
    second.join();
    second.join();
    assertThat(first.bytes()).as("twice is once").isEqualTo(500);
    assertThat(second.bytes()).isEqualTo(500);
    second.leave();
    second.leave();
    assertThat(first.bytes()).isEqualTo(1_000);
    second.join();
    assertThat(first.bytes()).as("a partition may come back").isEqualTo(500);
    assertThatThrownBy(() -> new OpenMemory(-1)).hasMessageContaining("at least 0");
  }

  @Test
  void shouldCountWhoeverComesAndGoesOnManyThreads() throws InterruptedException {
    OpenMemory memory = new OpenMemory(1_000);
    List<Thread> threads =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    new Thread(
                        () -> {
                          OpenMemory.Share share = memory.share();
                          for (int turn = 0; turn < 10_000; turn++) {
                            share.join();
                            share.leave();
                          }
                          share.join();
                        }))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(memory.share().bytes()).isEqualTo(250);
  }

  @Test
  void shouldStayWithinTheShareAsItShrinks() {
    OpenMemory memory = new OpenMemory(16L << 20);
    OpenMemory.Share mine = memory.share();
    mine.join();
    DatasetStore store = store(Fixture.YAML, mine);
    fill(store, Fixture.YAML, 0, 60_000, 1);
    assertThat(store.heldBytes()).isBetween(8L << 20, 16L << 20);
    int before = store.open();
    for (int more = 0; more < 7; more++) {
      memory.share().join();
    }
    fill(store, Fixture.YAML, 0, 1, 1);
    assertThat(store.heldBytes()).isBetween(1L << 20, 2L << 20);
    assertThat(store.open()).isBetween(100, before / 4);
    for (int more = 0; more < 1_000; more++) {
      memory.share().join();
    }
    fill(store, Fixture.YAML, 0, 1, 1);
    assertThat(store.open()).as("some are kept in any case").isEqualTo(100);
    assertThat(store.heldBytes()).as("and nothing else").isLessThan(100 << 10);
  }

  /** Partitions of an instance share; none of them counts before it begins or after it ends. */
  @Test
  void shouldBeGivenBackByWhoeverLeaves() {
    OpenMemory memory = new OpenMemory(1_000);
    Deployment deployment = Fixture.deployment(1, PipelineMeters.none()).with(memory);
    OpenMemory.Share other = memory.share();
    other.join();
    KeeperProcessor keeper = new KeeperRun().begun(Fixture.plan(Fixture.YAML), deployment);
    assertThat(other.bytes()).isEqualTo(500);
    keeper.close();
    assertThat(other.bytes()).isEqualTo(1_000);
    new KeeperProcessor(Fixture.plan(Fixture.YAML), deployment).close();
    assertThat(other.bytes()).as("whoever never began has nothing to give back").isEqualTo(1_000);
  }

  /** Goes on until all is done. */
  private static final Slices UNHURRIED =
      new Slices() {
        @Override
        public boolean begin() {
          return true;
        }

        @Override
        public boolean mayContinue() {
          return true;
        }

        @Override
        public void end(boolean left) {
          // Nobody waits.
        }
      };

  @Test
  void shouldReleaseTheSameWithLittleMemoryAndWithMuch() {
    List<String> plenty = released(1L << 30);
    assertThat(plenty).hasSize(3 * 400);
    assertThat(released(0)).isEqualTo(plenty);
    assertThat(released(3 * SubjectFilter.BYTES)).isEqualTo(plenty);
  }

  private static List<String> released(long bytes) {
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new Incarnation(7, 7)));
    Random random = new Random(5);
    for (int window = 0; window < 3; window++) {
      long start = Fixture.NOW + window * 10_000L;
      for (int i = 0; i < 400; i++) {
        journal.add(observation("user-" + i, start, random));
      }
      for (int i = 0; i < 2_000; i++) {
        // Late records of the window before the last one come too.
        journal.add(
            observation("user-" + random.nextInt(400), start + random.nextInt(2) * 10_000, random));
      }
      journal.add(new Boundary(0, start + 10_000));
    }
    Deployment deployment =
        Fixture.deployment(1, PipelineMeters.none())
            .with(new OpenMemory(bytes))
            .watchedBy(DrawWitness.none(), () -> UNHURRIED);
    return new KeeperRun()
        .run(Fixture.plan(Fixture.YAML), deployment, journal).stream()
            .map(Object::toString)
            .collect(Collectors.toList());
  }

  private static Observation observation(String subject, long start, Random random) {
    return new Observation(subject, start, random.nextInt(3), List.of(), 0);
  }

  private static final String WIDE =
      Fixture.YAML.replace(
          "[a, b, c]",
          IntStream.range(0, 32).mapToObj(i -> "c" + i).toList().toString().replace(" ", ""));

  private static final String FEATURES =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c], values: [x, y] }
      features: { bandwidth: 0.7, count: 16 }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - abc: { name: coin, distance: features, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2 }
      """;

  private static final String SUMMARIES =
      FEATURES
          .replace("features: { bandwidth: 0.7, count: 16 }\n", "")
          .replace(
              "distance: features",
              "distance: summaries, clip: 3, summaries: [{ mean: x, scale: 1 }, { deviation: y, scale: 1 }]");

  private static final String SAMPLE =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, values: [x, y] }
      reservoir: 8
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      subjects: roster
      budget: { name: test, unit: dataset, epsilon: 12 }
      releases:
        - mollifier: { name: taste, items: 2, share: { epsilon: 12 }, windows: 3, reference: { gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] } }
      """;

  /** The estimate is right within a third, for what fills a heap: measured after a collection. */
  @ParameterizedTest
  @CsvSource({"counts, 1", "wide, 1", "features, 1", "summaries, 3", "sample, 1", "sample, 8"})
  void shouldKnowWhatDatasetsTake(String kind, int records) {
    String yaml =
        switch (kind) {
          case "counts" -> Fixture.YAML;
          case "wide" -> WIDE;
          case "features" -> FEATURES;
          case "summaries" -> SUMMARIES;
          default -> SAMPLE;
        };
    List<Filled> turns = new ArrayList<>();
    // Where most of all turns are right already, so is their median: the others are spared.
    while (turns.size() < TURNS && turns.stream().filter(Filled::isRight).count() <= TURNS / 2) {
      turns.add(filled(yaml, records));
    }
    assertThat(turns).filteredOn(Filled::isRight).as("of %s", turns).hasSizeGreaterThan(TURNS / 2);
  }

  /** What a store says that it holds, and by how much the heap has grown. */
  private record Filled(long estimated, long taken) {
    boolean isRight() {
      return Math.abs(estimated - taken) <= 0.33 * taken;
    }
  }

  private static Filled filled(String yaml, int records) {
    DatasetStore store = store(yaml, new OpenMemory(Long.MAX_VALUE).share());
    fill(store, yaml, 0, 1, 1);
    long before = used();
    fill(store, yaml, 1, MANY, records);
    long taken = used() - before;
    assertThat(store.open()).as("none was forgotten").isEqualTo(MANY);
    return new Filled(store.heldBytes(), taken);
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long before = Long.MAX_VALUE;
    // What tests before left is collected in several rounds, some of it after it was finalized.
    for (int stable = 0, round = 0; stable < 3 && round < 20; round++) {
      System.gc();
      System.runFinalization();
      long now = runtime.totalMemory() - runtime.freeMemory();
      stable = Math.abs(before - now) < 50_000 ? stable + 1 : 0;
      before = now;
    }
    return before;
  }

  private static DatasetStore store(String yaml, OpenMemory.Share share) {
    return new DatasetStore(
        new StagedStore(DatasetStoreTest.below()),
        new Contents.Layout(Fixture.plan(yaml).pipeline()),
        share::bytes);
  }

  private static void fill(DatasetStore store, String yaml, int from, int to, int records) {
    boolean numbers = yaml.contains("values");
    for (int i = from; i < to; i++) {
      for (int record = 0; record < records; record++) {
        store.add(
            new Observation(
                "user-%07d".formatted(i),
                Fixture.NOW,
                0,
                numbers ? List.of(0.5, 0.25) : List.of(),
                numbers ? record + 1L : 0));
      }
    }
  }
}
