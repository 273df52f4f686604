// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.clock;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.WindowSpec;

/**
 * What intake remembers of one source partition.
 *
 * @param offset of the last record read
 * @param latestTime largest event time or tick seen; {@link #UNSET} before the first
 * @param boundary latest window end announced; {@link #UNSET} before the first
 */
public record PartitionWatermark(long offset, long latestTime, long boundary) {
  public static final long UNSET = Long.MIN_VALUE;

  private static final int FORMAT = 1;

  /**
   * The watermark of a partition after a record or tick.
   *
   * @param time event time of a record that counted, or of a tick
   */
  public PartitionWatermark passing(WindowSpec window, long time) {
    return time <= latestTime
        ? this
        : new PartitionWatermark(offset, time, Math.max(boundary, window.boundaryOf(time)));
  }

  /** As the source store has it. */
  public byte[] encode() {
    return new ByteWriter()
        .fixed8(FORMAT)
        .unsigned(offset)
        .signed(latestTime)
        .signed(boundary)
        .toBytes();
  }

  /** Inverse of {@link #encode}. */
  public static PartitionWatermark decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a source clock");
    PartitionWatermark watermark = new PartitionWatermark(in.unsigned(), in.signed(), in.signed());
    in.end();
    return watermark;
  }
}
