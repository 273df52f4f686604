// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.mechanism.Histogram;
import java.util.Arrays;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * What a population of single items says: the shares of subjects whose dataset is of one category,
 * found by inverting the sampler's known law. Post-processing of published items, so it costs
 * nothing.
 *
 * <p>Exact in expectation where every dataset has one category. A subject with several is counted
 * as if each of its items came from one of them; the sampler's clip then favours whoever has many.
 *
 * @param items n, number of items
 * @param observed share of each category among the items
 * @param shares the estimate: adds up to 1, a share may lie outside [0, 1]
 * @param errors standard errors of the estimate, over the draw of the items
 * @param intervals of 95% for each share, lowest and highest, within [0, 1]: hold at few items, and
 *     at none of a category, too
 * @param condition of the inverted law: by so much may noise grow
 */
public record PopulationEstimate(
    long items,
    double[] observed,
    double[] shares,
    double[] errors,
    double[][] intervals,
    double condition) {

  private static final double Z = 1.96;

  /** Above it, the noise of the items drowns what they say. */
  private static final double ILL_CONDITIONED = 100;

  /**
   * Estimates.
   *
   * @param counts of the items by category, at least one item
   * @param sampler that drew them
   */
  public static PopulationEstimate of(long[] counts, FiniteSampler sampler) {
    int k = counts.length;
    long n = Arrays.stream(counts).sum();
    if (n < 1) {
      throw new IllegalArgumentException("an estimate needs at least one item");
    }
    double[][] law = new double[k][k];
    for (int i = 0; i < k; i++) {
      long[] one = new long[k];
      one[i] = 1;
      long[] weights = sampler.weights(new Histogram(one));
      for (int j = 0; j < k; j++) {
        law[i][j] = weights[j] / (double) FiniteSampler.TOTAL;
      }
    }
    // shares * law = frequencies
    SingularValueDecomposition svd =
        new SingularValueDecomposition(MatrixUtils.createRealMatrix(law).transpose());
    RealMatrix inverse = svd.getSolver().getInverse();
    double[] observed = Arrays.stream(counts).mapToDouble(c -> c / (double) n).toArray();
    double[] errors = new double[k];
    double[][] intervals = new double[k][];
    for (int i = 0; i < k; i++) {
      intervals[i] = interval(inverse.getRow(i), observed, n);
      double mean = 0;
      double square = 0;
      for (int j = 0; j < k; j++) {
        double weight = inverse.getEntry(i, j);
        mean += observed[j] * weight;
        square += observed[j] * weight * weight;
      }
      errors[i] = Math.sqrt(Math.max(0, square - mean * mean) / n);
    }
    return new PopulationEstimate(
        n, observed, inverse.operate(observed), errors, intervals, svd.getConditionNumber());
  }

  /**
   * Wilson's score interval (Wilson 1927) of the mean of a variable between two bounds: one item of
   * category j is worth w_j, and whatever has the mean s between m and M varies by at most (M - s)
   * (s - m). That is its variance where it has two values, as with a uniform reference. A share
   * lies within [0, 1], so an estimate outside is moved there first: nearer to the truth, whatever
   * it is.
   */
  private static double[] interval(double[] worth, double[] observed, long n) {
    double least = Arrays.stream(worth).min().orElseThrow();
    double most = Arrays.stream(worth).max().orElseThrow();
    double mean = 0;
    for (int j = 0; j < worth.length; j++) {
      mean += observed[j] * worth[j];
    }
    double p = (within(mean) - least) / (most - least);
    double centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n);
    double half = Z / (1 + Z * Z / n) * Math.sqrt(p * (1 - p) / n + Z * Z / (4.0 * n * n));
    return new double[] {
      within(least + (most - least) * (centre - half)),
      within(least + (most - least) * (centre + half))
    };
  }

  private static double within(double share) {
    return Math.max(0, Math.min(1, share));
  }

  /** A share as people read it. */
  public double shareWithin(int category) {
    return within(shares[category]);
  }

  /** Whether next to nothing can be inferred. */
  public boolean isIllConditioned() {
    return condition > ILL_CONDITIONED;
  }
}
