// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.gate.Witness;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.Slices;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.SubjectFilter;
import io.sfumato.topology.subjects.SubjectStateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpenMemoryTest {
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
    DatasetStore store = HeldHeap.store(Fixture.YAML, mine);
    HeldHeap.fill(store, Fixture.YAML, 0, 60_000, 1);
    assertThat(store.heldBytes()).isBetween(8L << 20, 16L << 20);
    int before = store.open();
    for (int more = 0; more < 7; more++) {
      memory.share().join();
    }
    HeldHeap.fill(store, Fixture.YAML, 0, 1, 1);
    assertThat(store.heldBytes()).isBetween(1L << 20, 2L << 20);
    assertThat(store.open()).isBetween(100, before / 4);
    for (int more = 0; more < 1_000; more++) {
      memory.share().join();
    }
    HeldHeap.fill(store, Fixture.YAML, 0, 1, 1);
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
    ProcessorRun<String> keeper = new KeeperRun().begun(Fixture.plan(Fixture.YAML), deployment);
    assertThat(other.bytes()).isEqualTo(500);
    keeper.close();
    assertThat(other.bytes()).isEqualTo(1_000);
    SubjectStateMachine.processor(Fixture.plan(Fixture.YAML), deployment).close();
    assertThat(other.bytes()).as("whoever never began has nothing to give back").isEqualTo(1_000);
  }

  /** Continues until all is done. */
  private static final Slices UNHURRIED = Fixture.slicesWhile(() -> true);

  @Test
  void shouldReleaseTheSameWithLittleMemoryAndWithMuch() {
    List<String> plenty = released(1L << 30);
    assertThat(plenty).hasSize(3 * 400);
    assertThat(released(0)).isEqualTo(plenty);
    assertThat(released(3 * SubjectFilter.BYTES)).isEqualTo(plenty);
  }

  private static List<String> released(long bytes) {
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(7, 7)));
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
      journal.add(new Watermark(0, start + 10_000));
    }
    Deployment deployment =
        Fixture.deployment(1, PipelineMeters.none())
            .with(new OpenMemory(bytes))
            .watchedBy(Witness.NONE, () -> UNHURRIED);
    return new KeeperRun()
        .run(Fixture.plan(Fixture.YAML), deployment, journal).stream()
            .map(Object::toString)
            .collect(Collectors.toList());
  }

  private static Observation observation(String subject, long start, Random random) {
    return new Observation(subject, start, random.nextInt(3), List.of(), 0);
  }

  /**
   * The estimate is right within a third, for what fills a heap: measured after a collection, in a
   * process that has nothing else.
   */
  @Test
  void shouldKnowWhatDatasetsTake() throws Exception {
    List<String> kinds =
        List.of("counts 1", "wide 1", "features 1", "summaries 3", "sample 1", "sample 8");
    List<HeldHeap.Filled> measured = HeldHeap.measured(kinds);
    assertThat(measured).hasSameSizeAs(kinds);
    for (int i = 0; i < kinds.size(); i++) {
      HeldHeap.Filled filled = measured.get(i);
      assertThat(Math.abs(filled.estimated() - filled.taken()))
          .as(kinds.get(i) + ": " + filled)
          .isLessThanOrEqualTo(filled.taken() / 3);
    }
  }
}
