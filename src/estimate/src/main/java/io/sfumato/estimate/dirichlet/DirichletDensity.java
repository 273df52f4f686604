// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import static org.apache.commons.math3.special.Gamma.logGamma;

import io.sfumato.estimate.HistogramDensity;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import java.util.List;

/**
 * The density of a Dirichlet draw q ~ Dirichlet(r f + a), or the probability of M items of it:
 *
 * <pre>
 *   lnG(A) - sum lnG(u_i) + sum (u_i - 1) ln q_i,             u = r f + a, A = sum u_i
 *   lnG(A) - lnG(A + M) + sum lnG(u_i + m_i) - lnG(u_i)
 * </pre>
 *
 * A share of one step of the grid is any that was rounded to it: the integral of its density up to
 * 3/2 steps.
 */
final class DirichletDensity implements HistogramDensity {
  private static final double STEP = 1.0 / Distribution.STEPS;
  private static final double LN_LEAST = StrictMath.log(1.5 * STEP);

  private final DirichletParameters pair;
  private final long leastCount;
  private final long records;
  private final Product factors;
  private final long items;

  /**
   * @param leastCount below which counts are raised to it; 0 for none
   */
  DirichletDensity(
      DirichletParameters pair, long leastCount, long records, HistogramRelease release) {
    this.pair = pair;
    this.leastCount = leastCount;
    this.records = records;
    this.factors =
        release instanceof ItemCounts counted ? ofItems(counted) : ofShares((Distribution) release);
    this.items = release instanceof ItemCounts counted ? counted.size() : 0;
  }

  private double weight(long count) {
    return pair.r() * Math.max(leastCount, count) + pair.a();
  }

  private Product ofShares(Distribution shares) {
    double[] ln = new double[shares.categories()];
    for (int i = 0; i < ln.length; i++) {
      ln[i] = shares.share(i) <= STEP ? Double.NaN : StrictMath.log(shares.share(i));
    }
    return (category, count) -> {
      double u = weight(count);
      double term =
          Double.isNaN(ln[category]) ? u * LN_LEAST - StrictMath.log(u) : (u - 1) * ln[category];
      return term - logGamma(u);
    };
  }

  private Product ofItems(ItemCounts found) {
    return (category, count) -> {
      double u = weight(count);
      return logGamma(u + found.count(category)) - logGamma(u);
    };
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public double log(long[] counts) {
    double total = 0;
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      total += weight(counts[i]);
      sum += factors.log(i, counts[i]);
    }
    return sum + logGamma(total) - (items > 0 ? logGamma(total + items) : 0);
  }

  /** Raised counts have no fixed sum, so that what depends on it is no constant. */
  @Override
  public List<Product> products() {
    return leastCount > 0 ? List.of() : List.of(factors);
  }
}
