// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Population;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.contributions.Contributions.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** What a user's window is under the bounds of a version that found it there. */
class OtherBoundsTest {
  private static final ToLongFunction<String> RANKS = subject -> subject.hashCode() * 31L % 7;

  private static Layout layout(int records, int subjects, int leftOut) {
    OptionalInt told = leftOut == 0 ? OptionalInt.empty() : OptionalInt.of(leftOut);
    return new Layout(new Population("who", records, subjects, told, Optional.empty()), 0);
  }

  private static Contributions of(Layout layout, List<Entry> entries) {
    Contributions mine = new Contributions(layout);
    entries.forEach(entry -> mine.add(entry, RANKS));
    return mine;
  }

  private static List<Entry> entries(Random random) {
    List<Entry> entries = new ArrayList<>();
    for (int left = random.nextInt(12); left > 0; left--) {
      entries.add(new Entry("s" + random.nextInt(4), random.nextInt(2), random.nextInt(1_000)));
    }
    return entries;
  }

  /** As if they had held from the first record on; with or without what is left out. */
  @Test
  void shouldBeAsIfSmallerBoundsHadAlwaysHeld() {
    Random random = new Random(11);
    for (int round = 0; round < 2_000; round++) {
      int records = 1 + random.nextInt(4);
      int subjects = 1 + random.nextInt(records);
      Layout former = layout(records, subjects, random.nextInt(3));
      int fewer = 1 + random.nextInt(records);
      Layout next = layout(fewer, 1 + random.nextInt(Math.min(fewer, subjects)), random.nextInt(3));
      List<Entry> entries = entries(random);
      byte[] kept = of(former, entries).encode();
      Contributions found = Contributions.decode(kept, next, RANKS);
      assertThat(found.counted()).isEqualTo(of(next, entries).counted());
      assertThat(found.leftOut(RANKS).size())
          .isLessThanOrEqualTo(next.population().leftOut().orElse(0));
      assertThat(Contributions.decode(found.encode(), next, RANKS).counted())
          .isEqualTo(found.counted());
    }
  }

  /** What the former version dropped is not there; what it kept counts. */
  @Test
  void shouldCountWhatWasKeptUnderLargerBounds() {
    Random random = new Random(12);
    for (int round = 0; round < 1_000; round++) {
      Layout former = layout(2, 1, 0);
      List<Entry> entries = entries(random);
      Contributions before = of(former, entries);
      Contributions found = Contributions.decode(before.encode(), layout(4, 3, 2), RANKS);
      assertThat(found.counted()).isEqualTo(before.counted());
      assertThat(found.leftOut(RANKS)).as("it did not count what it dropped").isEmpty();
    }
  }

  /** Of a subject that is kept it is known how many records there were, beyond those kept. */
  @Test
  void shouldSayHowManyAreLeftOutWhereTheFormerVersionCountedThem() {
    Layout former = layout(2, 1, 5);
    Layout next = layout(2, 1, 4);
    List<Entry> entries = new ArrayList<>();
    for (int records = 0; records < 12; records++) {
      assertThat(Contributions.decode(of(former, entries).encode(), next, RANKS).leftOut(RANKS))
          .hasSize(Math.min(Math.max(0, records - 2), 4))
          .isEqualTo(of(next, entries).leftOut(RANKS));
      entries.add(new Entry("s0", 0, records));
    }
  }

  /** The same bounds read the same bytes. */
  @Test
  void shouldChangeNothingUnderTheSameBounds() {
    Random random = new Random(13);
    for (int round = 0; round < 1_000; round++) {
      Layout layout = layout(1 + random.nextInt(3), 1, random.nextInt(3));
      byte[] kept = of(layout, entries(random)).encode();
      assertThat(Contributions.decode(kept, layout, RANKS).encode()).isEqualTo(kept);
    }
  }
}
