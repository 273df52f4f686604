// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.Arrays;

/** Counts with noise, one a group; they may be negative. Immutable. */
public final class NoisyCounts implements ReleasedData {
  private final long[] values;

  /**
   * @param values copied
   */
  public NoisyCounts(long... values) {
    this.values = values.clone();
  }

  /** How many counts there are. */
  public int groups() {
    return values.length;
  }

  /** The count of one group, from 0. */
  public long of(int group) {
    return values[group];
  }

  /** All counts, in the order of their groups. */
  public long[] values() {
    return values.clone();
  }

  /**
   * Group by group.
   *
   * @throws ArithmeticException beyond 2^63
   */
  public NoisyCounts plus(NoisyCounts other) {
    if (other.groups() != groups()) {
      throw new IllegalArgumentException(
          groups() + " groups and " + other.groups() + " cannot be added");
    }
    long[] sum = new long[values.length];
    Arrays.setAll(sum, i -> Math.addExact(values[i], other.values[i]));
    return new NoisyCounts(sum);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoisyCounts counts && Arrays.equals(values, counts.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** Most are published; those of subjects that nobody listed are not. */
  @Override
  public String toString() {
    return "NoisyCounts[" + values.length + " groups]";
  }
}
