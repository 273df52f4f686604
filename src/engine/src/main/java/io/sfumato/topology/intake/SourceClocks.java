// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.topology.clock.SourceClock;
import io.sfumato.topology.lineage.Authorship;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.lineage.LedgerFloor;
import io.sfumato.topology.setting.PipelineStopException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The clocks of source partitions, and under whose file their records are read. */
final class SourceClocks {
  private final KeyValueStore<Bytes, byte[]> store;
  private final Authorship mine;
  private final Map<Integer, SourceClock> clocks = new HashMap<>();

  /** Partitions whose clocks the store does not know yet. */
  private final Set<Integer> moved = new TreeSet<>();

  /** Under whose file the store says that records are read. */
  private Optional<Authorship> authorship;

  /**
   * @param advice how a changed file goes on
   * @throws PipelineStopException if records there are another file's to read
   */
  SourceClocks(KeyValueStore<Bytes, byte[]> store, Identity.Maker maker, String advice) {
    this.store = store;
    this.mine = Authorship.of(maker);
    this.authorship = Authorship.in(store);
    authorship.ifPresent(before -> before.requireAllows(mine, advice));
  }

  /** Nothing before the first record of a partition. */
  Optional<SourceClock> of(int partition) {
    return Optional.ofNullable(clocks.computeIfAbsent(partition, this::restored));
  }

  void put(int partition, SourceClock clock) {
    clocks.put(partition, clock);
    moved.add(partition);
  }

  /** Hands the clocks that moved to the store. */
  void write() {
    if (!authorship.equals(Optional.of(mine))) {
      mine.putInto(store);
      authorship = Optional.of(mine);
    }
    moved.forEach(partition -> store.put(key(partition), clocks.get(partition).encode()));
    moved.clear();
  }

  /** Where a ledger was sealed that was continued here, if it was. */
  Optional<LedgerFloor> floor() {
    return Optional.ofNullable(store.get(LedgerFloor.KEY))
        .map(LedgerFloor::decode)
        .filter(LedgerFloor::isKnown);
  }

  private SourceClock restored(int partition) {
    byte[] bytes = store.get(key(partition));
    return bytes == null ? null : SourceClock.decode(bytes);
  }

  private static Bytes key(int partition) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(partition).array());
  }
}
