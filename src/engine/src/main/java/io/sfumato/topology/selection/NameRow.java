// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.selection;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.Memory;
import io.sfumato.pipeline.NameSampler.Figure;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is kept of one name of one subject. Immutable.
 *
 * @param counts what counts for it in windows that are not decided, or were and wait for one that
 *     draws, by their starts: secret
 * @param listing since when it is public; nothing where it is not
 * @param memory what decided windows leave to later ones: secret
 */
record NameRow(SortedMap<Long, Long> counts, Optional<Listing> listing, Memory memory) {
  static final NameRow EMPTY = new NameRow(new TreeMap<>(), Optional.empty(), Memory.NONE);

  private static final int FORMAT = 1;
  private static final int PRIVATE = 0;
  private static final int PUBLIC = 1;
  private static final int FOUND = 2;

  /**
   * A name's place in its subject's public list: follows from outputs.
   *
   * @param from start of the first window in which it is public
   * @param passed start of the last window in which its noisy count passed the threshold
   * @param told what is told of the window before {@code from}, until that is published
   */
  record Listing(long from, long passed, Optional<Figure> told) {
    boolean covers(long windowStart) {
      return from <= windowStart;
    }

    /** After one window more. */
    Listing after(long windowStart, boolean passes) {
      return new Listing(from, passes ? windowStart : passed, Optional.empty());
    }
  }

  /** What counts in a window. */
  long count(long windowStart) {
    return counts.getOrDefault(windowStart, 0L);
  }

  /** Whether it is public in a window. */
  boolean isListed(long windowStart) {
    return listing.map(place -> place.covers(windowStart)).orElse(false);
  }

  /** With more records in a window. */
  NameRow plus(long windowStart, long records) {
    SortedMap<Long, Long> more = new TreeMap<>(counts);
    more.merge(windowStart, records, Math::addExact);
    return new NameRow(more, listing, memory);
  }

  /** After a window: without its counts, and those before. */
  NameRow after(long windowStart, Optional<Listing> place, Memory left) {
    return new NameRow(new TreeMap<>(counts.tailMap(windowStart + 1)), place, left);
  }

  /** Without the counts of windows after one, up to another. */
  NameRow without(long after, long windowStart) {
    SortedMap<Long, Long> left = new TreeMap<>(counts);
    left.keySet().removeIf(start -> start > after && start <= windowStart);
    return new NameRow(left, listing, memory);
  }

  /** Whether anything counts in a window, or in one before it. */
  boolean countsBy(long windowStart) {
    return !counts.isEmpty() && counts.firstKey() <= windowStart;
  }

  boolean isEmpty() {
    return counts.isEmpty() && listing.isEmpty() && memory.isEmpty();
  }

  byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).unsigned(counts.size());
    long last = 0;
    for (var entry : counts.entrySet()) {
      out.signed(entry.getKey() - last).unsigned(entry.getValue());
      last = entry.getKey();
    }
    if (listing.isEmpty()) {
      out.fixed8(PRIVATE);
    } else {
      Listing place = listing.get();
      out.fixed8(place.told().isPresent() ? FOUND : PUBLIC)
          .signed(place.from())
          .signed(place.passed());
      place
          .told()
          .ifPresent(told -> out.signed(told.count()).signed(told.low()).signed(told.high()));
    }
    if (!memory.isEmpty()) {
      out.raw(memory.stored());
    }
    return out.toBytes();
  }

  static NameRow decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a name");
    SortedMap<Long, Long> counts = new TreeMap<>();
    long start = 0;
    for (long left = in.unsigned(); left > 0; left--) {
      start += in.signed();
      counts.put(start, in.unsigned());
    }
    int kind = in.fixed8();
    Optional<Listing> listing =
        kind == PRIVATE
            ? Optional.empty()
            : Optional.of(
                new Listing(
                    in.signed(),
                    in.signed(),
                    kind == FOUND
                        ? Optional.of(new Figure(in.signed(), in.signed(), in.signed()))
                        : Optional.empty()));
    return new NameRow(counts, listing, in.atEnd() ? Memory.NONE : Memory.ofData(in.rest()));
  }

  /** Never prints the counts. */
  @Override
  public String toString() {
    return "NameRow[" + listing + "]";
  }
}
