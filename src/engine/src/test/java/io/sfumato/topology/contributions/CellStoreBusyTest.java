// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.MemoryStores;
import io.sfumato.topology.contributions.Contributions.Cell;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.window.FixedWindows;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** More users come in every window than are looked at between two windows' ends. */
class CellStoreBusyTest {
  private static final long SIZE = 10_000;

  private final KeyValueStore<Bytes, byte[]> rows = MemoryStores.named("cells");
  private final StagedWrites staged = new StagedWrites(rows);

  @Test
  void shouldDeleteWhoStoodBehindTheBusyOnes() {
    CellStore store =
        new CellStore(staged, 4, new FixedWindows(Duration.ofMillis(SIZE), 0), 0, Long.MIN_VALUE);
    List<Cell> cells = List.of(new Cell("east", OptionalInt.empty()));
    store.visit("zoe", 0, cells);
    for (int window = 1; window < 200; window++) {
      for (int user = 0; user < 20; user++) {
        store.visit("ann%02d".formatted(user), window * SIZE, cells);
      }
      store.decided();
      store.deleteBefore((window + 1) * SIZE, 10);
    }
    staged.flush();
    long kept = 0;
    try (var all = rows.all()) {
      while (all.hasNext()) {
        all.next();
        kept++;
      }
    }
    assertThat(kept).as("zoe was here 199 windows ago").isEqualTo(20);
  }
}
