// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.estimate.mollifier.KernelBandwidth.Radii;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import java.util.Arrays;
import java.util.List;

/**
 * A dataset whose density is estimated by a kernel around each of its records.
 *
 * @param reference that the density is compared with
 * @param at the records' numbers, those of a box at its border if outside
 * @param category of each
 * @param smoothing part of a record that counts for all categories alike, in [0, 1)
 */
record KernelSample(Reference reference, double[][] at, int[] category, double smoothing) {
  static KernelSample of(Reference reference, List<Point> dataset) {
    NumericReference numbers = reference.numbers().orElseThrow();
    int k = reference.categories();
    return new KernelSample(
        reference,
        dataset.stream().map(point -> numbers.nearest(point.numbers())).toArray(double[][]::new),
        dataset.stream().mapToInt(Point::category).toArray(),
        k / (double) (k + dataset.size()));
  }

  int size() {
    return at.length;
  }

  /** Number of records that a record of the dataset shares its category with, in the mean. */
  double sizeOfCategory() {
    if (reference.categories() == 0) {
      return size();
    }
    long[] counts = new long[reference.categories()];
    for (int c : category) {
      counts[c]++;
    }
    return Arrays.stream(counts).mapToDouble(count -> (double) count * count).sum() / size();
  }

  /**
   * The estimated density over the reference's at a point.
   *
   * @param logReference logarithm of the density of the reference's numbers there
   */
  double ratio(double[] x, int c, double logReference, Radii radii) {
    double sum = 0;
    for (int i = 0; i < at.length; i++) {
      double distance = radii.within(x, at[i]);
      if (distance < 1) {
        sum += weight(category[i], c) * Radii.kernel(distance);
      }
    }
    return over(sum, size(), x, logReference, radii);
  }

  /** How near a point is to a record, at most 1 of one category: 1 / (1 + r^2) of the nearest. */
  double nearness(double[] x, int c, Radii radii) {
    double most = 0;
    for (int i = 0; i < at.length; i++) {
      most = Math.max(most, weight(category[i], c) / (1 + radii.squared(x, at[i])));
    }
    return most;
  }

  /** What a record counts for another category than its own, or the same, over its share. */
  double weight(int own, int c) {
    if (reference.categories() == 0) {
      return 1;
    }
    return smoothing + (own == c ? (1 - smoothing) / reference.share(c) : 0);
  }

  /** From a sum of kernels of so many records to the density over the reference. */
  double over(double sum, int records, double[] x, double logReference, Radii radii) {
    if (sum == 0) {
      return 0;
    }
    double inside = reference.numbers().orElseThrow().inside(x, radii.deviations());
    return StrictMath.exp(
        StrictMath.log(sum / (records * inside)) - radii.logVolume() - logReference);
  }
}
