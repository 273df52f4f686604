// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.Population;
import io.sfumato.topology.contributions.Contributions.Cell;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.contributions.Contributions.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a user's window counts under narrower bounds than those it is kept by. */
class WithinBoundsTest {
  private static final ToLongFunction<String> RANKS = subject -> subject.hashCode() * 31L % 7;

  private static final CellPlaces CELLS = new CellPlaces(true, 3, 1);

  private static Contributions of(Layout layout, List<Entry> entries) {
    Contributions mine = new Contributions(layout);
    entries.forEach(entry -> mine.add(entry, RANKS));
    return mine;
  }

  /** Where there are copies of events, these lie in any subject and have any category. */
  private static List<Entry> entries(Random random, boolean copies) {
    List<Entry> entries = new ArrayList<>();
    for (int left = random.nextInt(25); left > 0; left--) {
      int event = random.nextInt(copies ? 12 : 1_000_000);
      entries.add(
          new Entry(
              "s" + random.nextInt(5),
              random.nextInt(3),
              event * 0x9E3779B97F4A7C15L,
              List.of(),
              "",
              copies ? random.nextInt(1_000_000) : 0));
    }
    return entries;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldBeAsIfTheseBoundsAloneHadBeenKeptTo(boolean copies) {
    Random random = new Random(17);
    int differing = 0;
    for (int round = 0; round < 5_000; round++) {
      List<Entry> entries = entries(random, copies);
      Population wide = new Population("who", 1 + random.nextInt(6), 1 + random.nextInt(4));
      Population narrow =
          new Population(
              "who", 1 + random.nextInt(wide.records()), 1 + random.nextInt(wide.subjects()));
      Contributions kept = of(new Layout(wide, 0, copies), entries);
      Contributions alone = of(new Layout(narrow, 0, copies), entries);
      Contributions within = kept.within(narrow, RANKS);
      assertThat(within.counted()).isEqualTo(alone.counted());
      assertThat(within.cells(CELLS, 4)).isEqualTo(alone.cells(CELLS, 4));
      List<Cell> cells = within.cells(CELLS, 4);
      List<Cell> ofSubjects = within.cells(new CellPlaces(true, 0, 1), 4);
      List<Cell> ofCategories = within.cells(new CellPlaces(false, 3, 1), 4);
      assertThat(ofSubjects).allMatch(cell -> cell.category().isEmpty());
      assertThat(ofCategories).allMatch(cell -> cell.category().isPresent());
      assertThat(cells)
          .containsExactlyElementsOf(
              Stream.concat(ofSubjects.stream(), ofCategories.stream()).toList());
      differing += kept.counted().equals(alone.counted()) ? 0 : 1;
    }
    assertThat(differing).as("bounds that matter").isGreaterThan(1_000);
  }

  /** With one number of subjects, who counts less counts some of what who counts more does. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldCountAllThatASmallerBoundCounts(boolean copies) {
    Random random = new Random(18);
    for (int round = 0; round < 2_000; round++) {
      Population wide = new Population("who", 6, 2);
      Contributions kept = of(new Layout(wide, 0, copies), entries(random, copies));
      List<Entry> before = List.of();
      for (int records = 1; records <= 6; records++) {
        List<Entry> counted = kept.within(new Population("who", records, 2), RANKS).counted();
        assertThat(counted).hasSizeGreaterThanOrEqualTo(before.size());
        assertThat(counted.subList(0, before.size())).isEqualTo(before);
        before = counted;
      }
    }
  }
}
