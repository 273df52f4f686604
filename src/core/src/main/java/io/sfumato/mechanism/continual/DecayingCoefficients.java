// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.mechanism.matrix.ToeplitzRoot;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * Coefficients for sums without an end: {@code c_i = r_i / (1 + ln(1 + i) / 20)^2}, r_i those of
 * the root. Theirs have no finite norm; these do, and are nearly the root's over any range of lags
 * that one looks at (the idea is Jacobsen and Kassem's, 2025, who take powers of logarithms too).
 * From lag 2^24 on they are 0.
 */
public final class DecayingCoefficients implements Coefficients {
  /** The only ones. */
  public static final DecayingCoefficients FADING = new DecayingCoefficients();

  private static final long BAND = 1L << 24;

  /** So many are kept, which sums up to a row are made of exactly. */
  private static final int KEPT = ToeplitzRoot.LARGEST;

  /** Covers what logarithm, root, quotients and series are off. */
  private static final double DOWN = 1 - 0x1.0p-40;

  private final long[] kept = new long[KEPT];

  private DecayingCoefficients() {
    long[] root = ToeplitzRoot.coefficients(KEPT, KEPT);
    for (int k = 0; k < KEPT; k++) {
      kept[k] = (long) (root[k] / square(fading(k)));
      if (k > 0 && kept[k] > kept[k - 1]) {
        throw new IllegalStateException("coefficient " + k + " rises");
      }
    }
  }

  private static double fading(long lag) {
    return 1 + StrictMath.log1p(lag) / 20;
  }

  private static double square(double x) {
    return x * x;
  }

  @Override
  public long at(long lag) {
    if (lag < KEPT) {
      return kept[(int) lag];
    }
    return lag < BAND ? Math.min(kept[KEPT - 1], far(lag)) : 0;
  }

  /** By the series of binom(2i, i) / 4^i: never above the truth, which falls. */
  private static long far(long lag) {
    double root =
        (1 - 1 / (8.0 * lag)) / Math.sqrt(StrictMath.PI * lag); // the next term is + 1/(128 i^2)
    return (long) (ONE * root / square(fading(lag)) * DOWN);
  }

  @Override
  public long band() {
    return BAND;
  }

  @Override
  public String word() {
    return "fading";
  }

  /**
   * Rows up to the kept ones exactly. A later row has at most W times its largest coefficient:
   * while it is a kept one, that; beyond, since r_i^2 is at most 1 / (pi i), the integral of {@code
   * 1 / (pi i (1 + ln(i) / 20)^4)} bounds the sum of the squares.
   */
  @Override
  public BigInteger squaredNorm(int windows) {
    Coefficients.requireWindows(windows);
    BigInteger sum = BigInteger.ZERO;
    long row = 0;
    for (int i = 0; i < KEPT; i++) {
      row += kept[i] - (i < windows ? 0 : kept[i - windows]);
      sum = sum.add(Coefficients.square(row));
    }
    BigInteger beyond = BigInteger.ZERO;
    for (int k = KEPT - windows + 1; k < KEPT; k++) {
      beyond = beyond.add(Coefficients.square(kept[k]));
    }
    double far = 20 / (3 * StrictMath.PI) * (integral(KEPT - 1) - integral(BAND));
    BigInteger squares =
        new BigDecimal(far * ONE * ONE / DOWN)
            .setScale(0, RoundingMode.CEILING)
            .toBigIntegerExact();
    return sum.add(beyond.add(squares).multiply(Coefficients.square(windows)));
  }

  /** Since r_i is at most 1 / sqrt(pi i). */
  @Override
  public BigInteger columnSum() {
    double beyond = 2 * Math.sqrt(BAND / StrictMath.PI);
    return BigInteger.valueOf(Arrays.stream(kept).sum() + (long) Math.ceil(beyond * ONE));
  }

  private static double integral(long k) {
    double fading = 1 + StrictMath.log(k) / 20;
    return 1 / (fading * square(fading));
  }

  @Override
  public String toString() {
    return "FadingLags";
  }
}
