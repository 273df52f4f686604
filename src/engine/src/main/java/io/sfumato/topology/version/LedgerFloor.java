// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/**
 * Where a continued ledger begins, as intake keeps it: what was released before stays released.
 *
 * @param time no window that starts before it takes records
 */
public record LedgerFloor(long time) {
  /** Beside the source partitions' clocks, whose keys are their numbers. */
  public static final Bytes KEY = Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(-1).array());

  /** Of a state that did not begin with an imported ledger. */
  public static final LedgerFloor NONE = new LedgerFloor(Long.MIN_VALUE);

  private static final int FORMAT = 1;

  /** Whether anything was closed before the ledger was sealed. */
  public boolean isKnown() {
    return time != Long.MIN_VALUE;
  }

  /** As intake's store has it. */
  public byte[] encode() {
    return new ByteWriter().fixed8(FORMAT).signed(time).toBytes();
  }

  /** Inverse of {@link #encode}. */
  public static LedgerFloor decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a floor");
    LedgerFloor floor = new LedgerFloor(in.signed());
    in.end();
    return floor;
  }
}
