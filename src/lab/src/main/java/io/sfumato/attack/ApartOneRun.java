// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.PrivacyProfile;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.special.Beta;

/**
 * The bound of {@link OneRunBound} where the canaries are apart: each has an output and noise of
 * its own, and the outputs are independent once the coins have fallen. Then it is the law of the
 * best attack, as order statistics of the losses give it (as in Xiang, Wang, Xiao, Tian, Wang 2025,
 * "Tight Privacy Audit in One Run").
 *
 * <p>Whatever keeps to a profile is post-processing of the two laws of {@link LossLevels}
 * (Blackwell; Dong, Roth, Su 2022, Theorem 2.10), so an attacker who sees a draw of these for each
 * canary can do all that one who sees the outputs can. A draw of loss L says which way the coin
 * fell with chance s = 1 / (1 + e^-|L|), independently of all others. So of r guesses most are
 * right for whoever guesses the r largest |L|. With U the share of the r-th largest among all there
 * can be, r - 1 guesses are of losses beyond it, of mean chance p(U), and one is of s(U):
 *
 * <pre>  N = Bin(r - 1, p(U)) + Bernoulli(s(U)),   U ~ Beta(r, m - r + 1).</pre>
 *
 * <p>p and s fall with U, so that each stretch of U is bounded by its beginning.
 */
final class ApartOneRun implements OneRunBound {
  /** Parts of a standard deviation of U that a stretch is long, or of the way to its mean. */
  private static final double STRETCH = 0.06;

  /** Beyond so many standard deviations above the mean one stretch is enough: chances fall. */
  private static final double FAR = 8;

  private final LossLevels levels;

  ApartOneRun(PrivacyProfile profile) {
    this.levels = LossLevels.of(profile);
  }

  @Override
  public boolean refutes(int canaries, int guesses, int right, double level) {
    return right > 0 && chance(canaries, guesses, right) < level;
  }

  /** P[N >= v], rounded up. */
  double chance(int m, int r, int v) {
    double chance = 0;
    double from = 0;
    double before = 0;
    for (double to : stretches(r / (m + 1.0), m + 2.0)) {
      double until = to < 1 ? Beta.regularizedBeta(to, r, m - r + 1.0) : 1;
      chance += Math.max(0, until - before) * atLeast(r, v, from);
      from = to;
      before = until;
    }
    return Math.min(1, chance * (1 + 1e-6));
  }

  /** Ends of stretches up to 1, short near the mean of U, longer far below it. */
  private static double[] stretches(double mean, double size) {
    double deviation = Math.sqrt(mean * (1 - mean) / size);
    DoubleStream below =
        DoubleStream.iterate(
            deviation * STRETCH,
            distance -> distance < mean,
            distance -> distance + STRETCH * Math.max(deviation, distance));
    DoubleStream above =
        DoubleStream.iterate(
            0, distance -> distance < FAR * deviation, distance -> distance + STRETCH * deviation);
    return DoubleStream.concat(
            DoubleStream.concat(
                below.map(distance -> mean - distance), above.map(distance -> mean + distance)),
            DoubleStream.of(1))
        .filter(end -> end <= 1)
        .sorted()
        .toArray();
  }

  /** The same given U. */
  private double atLeast(int r, int v, double u) {
    double p = levels.meanRight(u);
    double s = levels.right(u);
    return (1 - s) * tail(r - 1, v, p) + s * tail(r - 1, v - 1, p);
  }

  /** P[Bin(n, p) >= v]. */
  private static double tail(int n, int v, double p) {
    if (v <= 0 || p >= 1) {
      return v <= n ? 1 : 0;
    }
    return v > n ? 0 : Beta.regularizedBeta(p, v, n - v + 1.0);
  }
}
