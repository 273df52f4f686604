// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.estimate.ClopperPearson;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.FiniteSampler;
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
 * @param intervals of at least 95% for each share, lowest and highest, within [0, 1]: hold at few
 *     items, and at none of a category, too
 * @param condition of the inverted law: the factor by which noise may grow
 */
public record PopulationEstimate(
    long items,
    double[] observed,
    double[] shares,
    double[] errors,
    double[][] intervals,
    double condition) {

  /** Of the intervals. */
  private static final double MISSED = 0.05;

  /** Worths of categories that differ by the rounding of the law's weights alone. */
  private static final double SAME = 1e-9;

  private static final int HALVINGS = 60;

  /** Above it, the inverse is not one any more. */
  private static final double SINGULAR = 1e12;

  /** Above it, the noise of the items drowns what they say. */
  private static final double ILL_CONDITIONED = 100;

  /**
   * Estimates.
   *
   * @param counts of the items by category, at least one item
   * @param sampler that drew them
   * @throws IllegalArgumentException if there is no item
   */
  public static PopulationEstimate of(long[] counts, FiniteSampler sampler) {
    int k = counts.length;
    long n = Arrays.stream(counts).sum();
    if (n < 1) {
      throw new IllegalArgumentException("an estimate needs at least one item");
    }
    double[][] distribution = new double[k][k];
    for (int i = 0; i < k; i++) {
      long[] one = new long[k];
      one[i] = 1;
      long[] weights = sampler.weights(new Histogram(one));
      for (int j = 0; j < k; j++) {
        distribution[i][j] = weights[j] / (double) FiniteSampler.TOTAL;
      }
    }
    // shares * law = frequencies
    SingularValueDecomposition svd =
        new SingularValueDecomposition(MatrixUtils.createRealMatrix(distribution).transpose());
    RealMatrix inverse = svd.getSolver().getInverse();
    double[] observed = Arrays.stream(counts).mapToDouble(c -> c / (double) n).toArray();
    double[] errors = new double[k];
    double[][] intervals = new double[k][];
    boolean invertible = svd.getConditionNumber() <= SINGULAR;
    for (int i = 0; i < k; i++) {
      intervals[i] = invertible ? interval(inverse.getRow(i), counts, i) : new double[] {0, 1};
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
   * Of the mean of independent items of which one of category j is worth w_j. Where all categories
   * but i are worth the same, as with a uniform reference, it is a count of items of category i,
   * with the exact bounds of Clopper and Pearson (1934). Otherwise, for values between m and M, the
   * Chernoff bound of Hoeffding (1963, theorem 1), exp(-n KL), on both sides: wider, and sure for
   * whatever population gave the items. A share lies within [0, 1].
   */
  private static double[] interval(double[] worth, long[] counts, int i) {
    long n = Arrays.stream(counts).sum();
    double least = Arrays.stream(worth).min().orElseThrow();
    double most = Arrays.stream(worth).max().orElseThrow();
    double other = worth[i == 0 ? 1 : 0];
    boolean isCount = true;
    double mean = 0;
    for (int j = 0; j < worth.length; j++) {
      isCount &= j == i || Math.abs(worth[j] - other) <= SAME * (most - least);
      mean += worth[j] * counts[j] / n;
    }
    double[] part;
    double from = least;
    double to = most;
    if (isCount) {
      from = other;
      to = worth[i];
      part =
          new double[] {
            ClopperPearson.lower(counts[i], n, MISSED / 2),
            ClopperPearson.upper(counts[i], n, MISSED / 2)
          };
    } else {
      double p = Math.max(0, Math.min(1, (mean - least) / (most - least)));
      double limit = StrictMath.log(2 / MISSED) / n;
      part = new double[] {furthest(p, 0, limit), furthest(p, 1, limit)};
    }
    double one = from + (to - from) * part[0];
    double two = from + (to - from) * part[1];
    double low = Math.min(one, two);
    double high = Math.max(one, two);
    // Items that hardly any population would give say nothing, and are not sure of an end.
    return low >= 1 || high <= 0 ? new double[] {0, 1} : new double[] {within(low), within(high)};
  }

  /** The q between p and an end with KL(p, q) at the limit. */
  private static double furthest(double p, double end, double limit) {
    double near = p;
    double far = end;
    for (int halving = 0; halving < HALVINGS; halving++) {
      double middle = (near + far) / 2;
      if (divergence(p, middle) <= limit) {
        near = middle;
      } else {
        far = middle;
      }
    }
    return far;
  }

  /** KL of one coin from another. */
  private static double divergence(double p, double q) {
    return (p == 0 ? 0 : p * StrictMath.log(p / q))
        + (p == 1 ? 0 : (1 - p) * StrictMath.log((1 - p) / (1 - q)));
  }

  private static double within(double share) {
    return Math.max(0, Math.min(1, share));
  }

  /**
   * A share as people read it.
   *
   * @param category from 0
   */
  public double shareWithin(int category) {
    return within(shares[category]);
  }

  /** Whether next to nothing can be inferred. */
  public boolean isIllConditioned() {
    return condition > ILL_CONDITIONED;
  }
}
