// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.version.IntakeVersion;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.version.WindowStarts;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The watermarks of sources, by their numbers, and under whose file their records are read. */
final class PartitionWatermarks {
  private final KeyValueStore<Bytes, byte[]> store;
  private final IntakeVersion mine;
  private final Map<Integer, PartitionWatermark> watermarks = new HashMap<>();

  /** Partitions whose watermarks the store does not know yet. */
  private final Set<Integer> moved = new TreeSet<>();

  /** Under whose file the store says that records are read. */
  private Optional<IntakeVersion> intakeVersion;

  private final Pipeline pipeline;

  /** Kafka's, of the last record. */
  private long timestamp;

  /**
   * @param advice how a changed file goes on
   * @throws PipelineStopException if records there are another file's to read
   */
  PartitionWatermarks(
      KeyValueStore<Bytes, byte[]> store,
      StateIdentity.Maker maker,
      Pipeline pipeline,
      String advice) {
    this.store = store;
    this.pipeline = pipeline;
    this.mine = IntakeVersion.of(maker);
    this.intakeVersion = IntakeVersion.in(store);
    intakeVersion.ifPresent(before -> before.requireAllows(mine, advice));
    if (intakeVersion.equals(Optional.of(mine))) {
      IntakeVersion.starts(store).ifPresent(starts -> starts.requireSame(pipeline, advice));
    }
  }

  /** Nothing before the first record of a partition. */
  Optional<PartitionWatermark> of(int partition) {
    return Optional.ofNullable(watermarks.computeIfAbsent(partition, this::restored));
  }

  /**
   * A record has moved it, or not.
   *
   * @param timestamp Kafka's, of the record
   */
  void put(int partition, PartitionWatermark watermark, long timestamp) {
    this.timestamp = timestamp;
    watermarks.put(partition, watermark);
    moved.add(partition);
  }

  /** Hands the watermarks that moved to the store. */
  void write() {
    if (!intakeVersion.equals(Optional.of(mine))) {
      mine.putInto(store);
      WindowStarts.of(pipeline, Long.MIN_VALUE, timestamp)
          .ifPresent(starts -> IntakeVersion.put(store, starts));
      intakeVersion = Optional.of(mine);
    }
    moved.forEach(partition -> store.put(key(partition), watermarks.get(partition).encode()));
    moved.clear();
  }

  /** Where a ledger was sealed that was continued here, if it was. */
  Optional<LedgerFloor> floor() {
    return Optional.ofNullable(store.get(LedgerFloor.KEY))
        .map(LedgerFloor::decode)
        .filter(LedgerFloor::isKnown);
  }

  private PartitionWatermark restored(int partition) {
    byte[] bytes = store.get(key(partition));
    return bytes == null ? null : PartitionWatermark.decode(bytes);
  }

  private static Bytes key(int partition) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(partition).array());
  }
}
