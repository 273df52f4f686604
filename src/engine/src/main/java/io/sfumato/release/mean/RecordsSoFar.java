// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How many records there were in all windows that sums run over, after each of the last ones: where
 * that is public. Immutable.
 *
 * @param sums never falling, the latest last; none before the first window
 */
record RecordsSoFar(List<Long> sums) {
  private static final int FORMAT = 3;

  /** Before the first window, and where numbers of records are not public. */
  static final RecordsSoFar NONE = new RecordsSoFar(List.of());

  RecordsSoFar {
    sums = List.copyOf(sums);
  }

  /** Of all windows. */
  long all() {
    return sums.isEmpty() ? 0 : sums.get(sums.size() - 1);
  }

  /**
   * Of the last windows.
   *
   * @param last how many, at least 1, of which sums were kept; all if there were fewer
   */
  long ofLast(int last) {
    return all() - (last < sums.size() ? sums.get(sums.size() - 1 - last) : 0);
  }

  /**
   * With one window more.
   *
   * @param records of it, at least 0
   * @param keep of how many windows before this one sums are needed, at least 1
   */
  RecordsSoFar plus(long records, int keep) {
    List<Long> next = new ArrayList<>(sums.subList(Math.max(0, sums.size() - keep), sums.size()));
    next.add(Math.addExact(all(), records));
    return new RecordsSoFar(next);
  }

  /** Before other bytes, as stores keep both. */
  byte[] before(byte[] rest) {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).unsigned(sums.size());
    sums.forEach(out::unsigned);
    return out.raw(rest).toBytes();
  }

  /**
   * What was read.
   *
   * @param of how many records there were
   * @param rest the other bytes
   */
  record Read(RecordsSoFar of, byte[] rest) {
    /** Inverse of {@link #before}; nothing where another kind of output left the bytes. */
    static Optional<Read> from(byte[] bytes) {
      ByteReader in = new ByteReader(bytes);
      if (in.fixed8() != FORMAT) {
        return Optional.empty();
      }
      long count = in.unsigned();
      List<Long> sums = Stream.generate(in::unsigned).limit(count).toList();
      return Optional.of(new Read(new RecordsSoFar(sums), in.rest()));
    }
  }
}
