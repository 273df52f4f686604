// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.workload;

import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.random.KeyedRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What users' records come to by name: all of them, and by window those that count: of a user at
 * most k of a name, and of these at most C.
 */
public final class NameTruth implements NameWorkload.Users {
  /** Which of a user's records count where there are too many. */
  public enum First {
    /** Those with the smallest hashes, of all windows together. */
    ANY,
    /** Those of the earliest windows, as a pipeline must decide; of one window as above. */
    EARLIEST
  }

  private final RunningBounds.PerPeriod bounds;
  private final int windows;
  private final First first;
  private final KeyedRandom hashes = KeyedRandom.ofPublicSeed("hashes of records");
  private final int[] all = new int[NameWorkload.NAMES];

  /** By name and window; as char, since most names have a few records a window. */
  private final char[] counted;

  private long records;

  /**
   * Before the first user.
   *
   * @param bounds C and k
   * @param windows how many
   */
  public NameTruth(RunningBounds.PerPeriod bounds, int windows, First first) {
    this.bounds = bounds;
    this.windows = windows;
    this.first = first;
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
        .sorted(order(of.windows(), ranks))
        .filter(i -> ofName.merge(of.names()[i], 1, Integer::sum) <= bounds.perName())
        .limit(bounds.records())
        .forEach(i -> add(of.names()[i], of.windows()[i]));
  }

  private Comparator<Integer> order(int[] at, long[] ranks) {
    Comparator<Integer> byRank = Comparator.comparingLong(i -> ranks[i]);
    return first == First.ANY
        ? byRank
        : Comparator.<Integer>comparingInt(i -> at[i]).thenComparing(byRank);
  }

  private void add(int name, int window) {
    int place = name * windows + window - 1;
    if (counted[place] == Character.MAX_VALUE) {
      throw new ArithmeticException("a name has more than 65,535 records in a window");
    }
    counted[place]++;
  }

  /** How many records there are. */
  public long records() {
    return records;
  }

  /** All records of a name. */
  public int all(int name) {
    return all[name];
  }

  /** Those that count of a name in a window, from 1. */
  public int counted(int name, int window) {
    return counted[name * windows + window - 1];
  }

  /** Those that count of a name. */
  public int counted(int name) {
    return IntStream.rangeClosed(1, windows).map(window -> counted(name, window)).sum();
  }
}
