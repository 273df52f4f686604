// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.GoogleNoise.Added;
import io.sfumato.random.KeyedRandom;

/**
 * BoundedMean of Google's differential privacy library for Java, after its sources: the sum of
 * distances from the middle of the range and the number of records, each with half of epsilon and
 * of delta.
 *
 * @param range of the values
 * @param sum noise of the sum
 * @param count noise of the number
 */
record GoogleMean(AmountRange range, Added sum, Added count) {
  /** Splits of the error probability that an interval tries. */
  private static final int SPLITS = 1000;

  static GoogleMean of(
      GoogleNoise noise, AmountRange range, int most, double epsilon, double delta) {
    return new GoogleMean(
        range,
        noise.of(1, range.width() / 2 * most, epsilon / 2, delta / 2),
        noise.of(1, most, epsilon / 2, delta / 2));
  }

  /** One release. */
  record Released(GoogleMean by, double sum, long count) {
    double mean() {
      return by.range.clamp(sum / Math.max(1, count) + by.range.middle());
    }

    /** Both parts within intervals of their own; of all splits between them the narrowest. */
    double[] interval(double alpha) {
      double[] narrowest = {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
      for (int i = 1; i < SPLITS; i++) {
        double ofSum = i * alpha / SPLITS;
        double[] found = interval(ofSum, (alpha - ofSum) / (1 - ofSum));
        if (found[1] - found[0] < narrowest[1] - narrowest[0]) {
          narrowest = found;
        }
      }
      return narrowest;
    }

    private double[] interval(double ofSum, double ofCount) {
      double reach = by.sum.reach(ofSum);
      double low = sum - reach;
      double high = sum + reach;
      long wide = Math.round(by.count.reach(ofCount));
      double fewest = Math.max(1, Math.nextDown((double) (count - wide)));
      double most = Math.max(1, Math.nextUp((double) (count + wide)));
      return new double[] {
        by.range.clamp(low / (low >= 0 ? most : fewest) + by.range.middle()),
        by.range.clamp(high / (high >= 0 ? fewest : most) + by.range.middle())
      };
    }
  }

  /**
   * @param distances the exact sum of distances from the middle
   * @param records N
   */
  Released draw(double distances, long records, KeyedRandom random) {
    long noisy = count.around(records, random);
    return new Released(this, sum.around(distances, random), noisy);
  }
}
