// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.mechanism.mollifier.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A bounded sample of a dataset: the records with the smallest ranks. A rank is a keyed hash of the
 * record's place in its log, so the sample is uniform and does not depend on the order of arrival.
 *
 * @param capacity most records, at least 1
 * @param records by rank
 */
public record Reservoir(int capacity, List<Ranked> records) {
  /** Equal ranks have practically no chance; contents decide then, so that order still does not. */
  private static final Comparator<Ranked> ORDER =
      Comparator.comparingLong(Ranked::rank)
          .thenComparingInt(ranked -> ranked.point().category())
          .thenComparing(ranked -> ranked.point().numbers(), Arrays::compare);

  public Reservoir {
    if (capacity < 1) {
      throw new IllegalArgumentException("a reservoir holds at least 1 record, was " + capacity);
    }
    records = List.copyOf(records);
  }

  /** A record of the sample with its rank, which decides whether it stays. */
  public record Ranked(long rank, Point point) {}

  /** With one more record: this very object if the record does not stay. */
  public Reservoir plus(Ranked record) {
    int place = Collections.binarySearch(records, record, ORDER);
    int at = place >= 0 ? place : -place - 1;
    if (at >= capacity) {
      return this;
    }
    List<Ranked> more = new ArrayList<>(records);
    more.add(at, record);
    return new Reservoir(capacity, more.subList(0, Math.min(capacity, more.size())));
  }

  /** Memory of its records, about: all have as many numbers. */
  public long heldBytes() {
    return records.isEmpty() ? 0 : records.size() * Contents.Layout.heldBytes(records.get(0));
  }

  List<Point> points() {
    return records.stream().map(Ranked::point).toList();
  }
}
