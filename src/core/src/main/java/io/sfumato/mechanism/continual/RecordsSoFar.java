// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * How many records there were in all windows that sums run over, after each of the last ones: where
 * that is public. Immutable.
 *
 * @param sums never falling, the latest last; none before the first window
 */
public record RecordsSoFar(List<Long> sums) {
  /** Before the first window, and where numbers of records are not public. */
  public static final RecordsSoFar NONE = new RecordsSoFar(List.of());

  public RecordsSoFar {
    sums = List.copyOf(sums);
  }

  /** Of all windows. */
  public long all() {
    return sums.isEmpty() ? 0 : sums.get(sums.size() - 1);
  }

  /**
   * Of the last windows.
   *
   * @param last how many, at least 1, of which sums were kept; all if there were fewer
   */
  public long ofLast(int last) {
    return all() - (last < sums.size() ? sums.get(sums.size() - 1 - last) : 0);
  }

  /**
   * With one window more.
   *
   * @param records of it, at least 0
   * @param keep of how many windows before this one sums are needed, at least 1
   */
  public RecordsSoFar plus(long records, int keep) {
    List<Long> next = new ArrayList<>(sums.subList(Math.max(0, sums.size() - keep), sums.size()));
    next.add(Math.addExact(all(), records));
    return new RecordsSoFar(next);
  }

  /** As stores keep it. */
  public void write(ByteWriter out) {
    out.unsigned(sums.size());
    sums.forEach(out::unsigned);
  }

  /** Inverse of {@link #write}. */
  public static RecordsSoFar read(ByteReader in) {
    long count = in.unsigned();
    return new RecordsSoFar(Stream.generate(in::unsigned).limit(count).toList());
  }
}
