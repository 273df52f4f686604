// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import java.util.Arrays;

/**
 * A dataset's sums of features on the grid that noise is drawn on. Exact, hence secret. Immutable.
 *
 * @param size N, number of records, at least 0
 * @param steps sums in steps of 2^-16
 */
public record RoundedSums(long size, long[] steps) implements ExactData {
  /** Steps of a sum in one: the norm of a record's features. */
  public static final long STEPS = 1L << 16;

  /** Steps of {@link FeatureSum} in one of these. */
  private static final long FINER = (long) RandomFeatures.STEPS / STEPS;

  public RoundedSums {
    steps = steps.clone();
  }

  /** The nearest steps: so each sum moves by less than one step more than it did. */
  public static RoundedSums of(FeatureSum exact) {
    return new RoundedSums(
        exact.size(),
        Arrays.stream(exact.steps())
            .map(sum -> Math.floorDiv(Math.floorDiv(sum, FINER / 2) + 1, 2))
            .toArray());
  }

  @Override
  public long[] steps() {
    return steps.clone();
  }

  /**
   * All that one draw is moved in: the sums, and after them the number of records where that is
   * noisy too.
   *
   * @param recordSteps a record's part of the last coordinate, in steps; 0 where N is public
   */
  public long[] coordinates(long recordSteps) {
    if (recordSteps == 0) {
      return steps();
    }
    long[] all = Arrays.copyOf(steps, steps.length + 1);
    all[steps.length] = Math.multiplyExact(recordSteps, size);
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoundedSums sums
        && size == sums.size
        && Arrays.equals(steps, sums.steps);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(size) + Arrays.hashCode(steps);
  }

  /** Never prints the sums: they are what must stay private. */
  @Override
  public String toString() {
    return "RoundedSums[" + steps.length + " features]";
  }
}
