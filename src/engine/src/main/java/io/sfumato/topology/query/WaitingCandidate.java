// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Candidate;
import org.apache.kafka.common.utils.Bytes;

/**
 * A candidate that waits for its window.
 *
 * @param sequence its place among those of its window, subject and output
 * @param timestamp Kafka timestamp of its entry
 * @param deadline in journal time
 */
record WaitingCandidate(Candidate candidate, long sequence, long timestamp, long deadline) {
  ByteWriter place(ByteWriter out) {
    return out.sortable(candidate.windowStart())
        .text(candidate.subject())
        .text(candidate.output())
        .sortable(sequence);
  }

  Bytes key() {
    return Bytes.wrap(place(new ByteWriter().fixed8(WaitingStore.WAITING)).toBytes());
  }

  Bytes deadlineKey() {
    return Bytes.wrap(
        place(new ByteWriter().fixed8(WaitingStore.DEADLINE).sortable(deadline)).toBytes());
  }

  byte[] encode() {
    return new ByteWriter()
        .fixed8(WaitingStore.FORMAT)
        .unsigned(sequence)
        .signed(timestamp)
        .signed(deadline)
        .block(JournalCodec.encode(candidate))
        .toBytes();
  }

  static WaitingCandidate decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(WaitingStore.FORMAT, "a waiting candidate");
    long sequence = in.unsigned();
    long timestamp = in.signed();
    long deadline = in.signed();
    if (JournalCodec.decode(in.block()) instanceof Candidate candidate) {
      in.end();
      return new WaitingCandidate(candidate, sequence, timestamp, deadline);
    }
    throw new CorruptBytesException("what waits is no candidate");
  }
}
