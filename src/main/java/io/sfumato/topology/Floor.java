// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/**
 * Where a continued ledger begins, as intake keeps it: what was released before stays released.
 *
 * @param time no window that starts before it takes records
 */
record Floor(long time) {
  /** Beside the source partitions' clocks, whose keys are their numbers. */
  static final Bytes KEY = Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(-1).array());

  /** Of a state that did not begin with an imported ledger. */
  static final Floor NONE = new Floor(Long.MIN_VALUE);

  private static final int FORMAT = 1;

  /** Whether anything was closed before the ledger was sealed. */
  boolean isKnown() {
    return time != Long.MIN_VALUE;
  }

  byte[] encode() {
    return new ByteWriter().fixed8(FORMAT).signed(time).toBytes();
  }

  static Floor decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a floor");
    Floor floor = new Floor(in.signed());
    in.end();
    return floor;
  }
}
