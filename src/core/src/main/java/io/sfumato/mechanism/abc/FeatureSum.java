// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import java.util.Arrays;

/**
 * All that a pipeline keeps of a dataset's numbers: the sum of its records' quantised features.
 * Whole numbers, so any order of records gives the same bytes. Immutable.
 *
 * @param size N, number of records, at least 0
 * @param steps sum of the features in steps of 2^-32
 */
public record FeatureSum(long size, long[] steps) {
  /**
   * @throws IllegalArgumentException if the size is below 0
   */
  public FeatureSum {
    if (size < 0) {
      throw new IllegalArgumentException("a size is at least 0, was " + size);
    }
    steps = steps.clone();
  }

  /** Of a dataset without records. */
  public static FeatureSum empty(RandomFeatures features) {
    return new FeatureSum(0, new long[features.features()]);
  }

  /**
   * Of public or made-up rows.
   *
   * @param rows one a record
   */
  public static FeatureSum of(RandomFeatures features, double[][] rows) {
    FeatureSum sum = empty(features);
    for (double[] row : rows) {
      sum = sum.plus(features.quantised(row));
    }
    return sum;
  }

  @Override
  public long[] steps() {
    return steps.clone();
  }

  /**
   * With one more record.
   *
   * @param quantised features of the record in steps of 2^-32
   * @throws IllegalArgumentException if there are more or fewer features
   */
  public FeatureSum plus(long[] quantised) {
    if (quantised.length != steps.length) {
      throw new IllegalArgumentException(
          "a record has " + steps.length + " features here, found " + quantised.length);
    }
    long[] more = new long[steps.length];
    Arrays.setAll(more, i -> Math.addExact(steps[i], quantised[i]));
    return new FeatureSum(Math.addExact(size, 1), more);
  }

  /**
   * Mean features. An empty dataset has none: it answers no query, and N is public.
   *
   * @throws IllegalStateException if the dataset is empty
   */
  public double[] mean() {
    if (size == 0) {
      throw new IllegalStateException("an empty dataset has no mean");
    }
    double scale = RandomFeatures.STEPS * size;
    return Arrays.stream(steps).mapToDouble(step -> step / scale).toArray();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FeatureSum sum && size == sum.size && Arrays.equals(steps, sum.steps);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(size) + Arrays.hashCode(steps);
  }

  /** Never prints the sums: they are what must stay private. */
  @Override
  public String toString() {
    return "FeatureSum[" + steps.length + " features]";
  }
}
