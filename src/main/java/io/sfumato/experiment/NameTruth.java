// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.discovery.RunningBounds;
import io.sfumato.noise.ReplayableRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What users' records come to by name: all of them, and by window those that count. Of a user those
 * count that have the smallest hashes: at most k of a name, and of these at most C.
 */
final class NameTruth implements NameWorkload.Users {
  private final RunningBounds.PerPeriod bounds;
  private final int windows;
  private final ReplayableRandom hashes = ReplayableRandom.ofPublicSeed("hashes of records");
  private final int[] all = new int[NameWorkload.NAMES];

  /** By name and window; as char, since most names have a few records a window. */
  private final char[] counted;

  private long records;

  NameTruth(RunningBounds.PerPeriod bounds, int windows) {
    this.bounds = bounds;
    this.windows = windows;
    this.counted = new char[Math.multiplyExact(NameWorkload.NAMES, windows)];
  }

  @Override
  public void next(int user, NameWorkload.OfUser of) {
    int count = of.names().length;
    records += count;
    long[] ranks = new long[count];
    for (int i = 0; i < count; i++) {
      all[of.names()[i]]++;
      ranks[i] = hashes.nextLong();
    }
    Map<Integer, Integer> ofName = new HashMap<>();
    IntStream.range(0, count)
        .boxed()
        .sorted((i, j) -> Long.compare(ranks[i], ranks[j]))
        .filter(i -> ofName.merge(of.names()[i], 1, Integer::sum) <= bounds.perName())
        .limit(bounds.records())
        .forEach(i -> add(of.names()[i], of.windows()[i]));
  }

  private void add(int name, int window) {
    int place = name * windows + window - 1;
    if (counted[place] == Character.MAX_VALUE) {
      throw new ArithmeticException("a name has more than 65,535 records in a window");
    }
    counted[place]++;
  }

  /** How many records there are. */
  long records() {
    return records;
  }

  /** All records of a name. */
  int all(int name) {
    return all[name];
  }

  /** Those that count of a name in a window, from 1. */
  int counted(int name, int window) {
    return counted[name * windows + window - 1];
  }

  /** Those that count of a name. */
  int counted(int name) {
    return IntStream.rangeClosed(1, windows).map(window -> counted(name, window)).sum();
  }
}
