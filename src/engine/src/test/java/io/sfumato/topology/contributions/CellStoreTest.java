// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.MemoryStores;
import io.sfumato.topology.contributions.Contributions.Cell;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** In which of the last windows a user was in a cell. */
class CellStoreTest {
  private static final int LAST = 4;
  private static final long SIZE = 10_000;
  private static final WindowGrid WINDOWS = new FixedWindows(Duration.ofMillis(SIZE), 0);

  private final KeyValueStore<Bytes, byte[]> rows = MemoryStores.named("cells");
  private final StagedWrites staged = new StagedWrites(rows);

  private CellStore store() {
    return new CellStore(staged, LAST, WINDOWS, 0, Long.MIN_VALUE);
  }

  private List<byte[]> kept() {
    staged.flush();
    List<byte[]> values = new ArrayList<>();
    try (var all = rows.all()) {
      all.forEachRemaining(row -> values.add(row.value));
    }
    return values;
  }

  private static Cell cell(int i) {
    return new Cell(i % 2 == 0 ? "east" : "west", i < 2 ? OptionalInt.empty() : OptionalInt.of(i));
  }

  /** Another store of the same rows for each window, as after a restart. */
  @Test
  void shouldTellHowManyWindowsAgoAUserWasInEachCell() {
    Random random = new Random(3);
    Map<String, Integer> before = new HashMap<>();
    for (int window = 0; window < 200; window++) {
      for (String user : List.of("ann", "bob")) {
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          if (random.nextInt(5) == 0) {
            cells.add(cell(i));
          }
        }
        Map<Cell, Integer> ago = store().visit(user, window * SIZE, cells);
        assertThat(ago).hasSameSizeAs(cells);
        for (Cell cell : cells) {
          Integer last = before.put(user + cell, window);
          int gap = last == null ? LAST : Math.min(LAST, window - last);
          assertThat(ago).containsEntry(cell, gap);
        }
      }
    }
  }

  /** A user who comes all the time has the cells of as many windows as are counted together. */
  @Test
  void shouldKeepNoMoreThanTheLastWindows() {
    for (int window = 0; window < 50; window++) {
      Cell ofThisWindow = new Cell("subject " + window, OptionalInt.empty());
      store().visit("ann", window * SIZE, List.of(ofThisWindow));
    }
    byte[] one = kept().get(0);
    store().visit("ann", 50 * SIZE, List.of(new Cell("subject 50", OptionalInt.empty())));
    assertThat(kept()).singleElement().satisfies(row -> assertThat(row).hasSameSizeAs(one));
    assertThat(one.length).isLessThan(LAST * 20);
  }

  @Test
  void shouldDeleteUsersWhoWereInNoneOfTheLastWindows() {
    CellStore store = store();
    for (int user = 0; user < 25; user++) {
      store.visit("u" + user, user < 20 ? 0 : SIZE, List.of(cell(0)));
    }
    // Windows 0 to 2 are decided: the next one still counts users of window 0.
    store.decided();
    store.deleteBefore(3 * SIZE, 100);
    assertThat(kept()).hasSize(25);
    store.decided();
    for (int i = 0; i < 10; i++) {
      store.deleteBefore(4 * SIZE, 5);
    }
    assertThat(kept()).hasSize(5);
    store.decided();
    store.deleteBefore(5 * SIZE, 100);
    assertThat(kept()).isEmpty();
  }

  @Test
  void shouldDeleteTheUsersOfCountsThatTheVersionDoesNotHave() {
    for (int id : List.of(0, 7, -7, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
      CellStore store = new CellStore(staged, LAST, WINDOWS, id, Long.MIN_VALUE);
      for (int user = 0; user < 5; user++) {
        store.visit("ann" + user, 0, List.of(cell(user)));
      }
    }
    DroppedCells dropped = new DroppedCells(staged, Set.of(7, Integer.MIN_VALUE), SIZE);
    dropped.delete(SIZE, 100);
    assertThat(kept()).as("no window of this version is decided").hasSize(25);
    int steps = 0;
    for (; kept().size() > 10 && steps < 100; steps++) {
      dropped.delete(2 * SIZE, 3);
    }
    assertThat(steps).as("a few at a time").isGreaterThan(6);
    dropped.delete(2 * SIZE, 100);
    assertThat(kept()).hasSize(10);
    for (int id : List.of(7, Integer.MIN_VALUE)) {
      CellStore store = new CellStore(staged, LAST, WINDOWS, id, SIZE);
      assertThat(store.visit("ann3", 2 * SIZE, List.of(cell(3)))).containsEntry(cell(3), 2);
    }
  }
}
