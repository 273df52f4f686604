// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Bisection;
import io.sfumato.mechanism.BoundedCache;
import io.sfumato.mechanism.additive.AdditiveNoise;
import java.util.Arrays;
import java.util.function.DoublePredicate;

/**
 * Confidence intervals for the share t = n_i / N of a category among d, where only noisy counts z_i
 * = n_i + e_i are known, and their sum S stands for N (Fieller 1954). With R the sum of the noises
 * of the other d - 1 categories,
 *
 * <pre>  z_i - t S = (1 - t) e_i - t R</pre>
 *
 * has a law that depends on t and on public parameters only. Let q(t) be the 95% quantile of its
 * absolute value. The truth is in {@code {t : |z_i - t S| <= q(t)}} in at least 95 of 100 cases,
 * and the interval is the smallest one around that set. q is found with the exact laws of
 * whole-number noise, so that the interval also holds where noise is far below one record.
 */
public final class ShareInterval {
  private static final BoundedCache<Asked, ShareInterval> KNOWN = new BoundedCache<>(64);

  /** Covers the roundings of q. */
  private static final double UP = 1 + 1e-9;

  /** Least number of pieces of [0, 1]; on each q is replaced by an upper bound. */
  private static final int LEAST_PIECES = 64;

  private record Asked(AdditiveNoise noise, int categories) {}

  /**
   * Shares that the truth may be.
   *
   * @param low at least 0
   * @param high at most 1, at least low
   */
  public record Range(double low, double high) {
    /** Every share. */
    public static final Range ALL = new Range(0, 1);

    /**
     * How far it reaches from a share, to the farther end.
     *
     * @param share in [0, 1]
     */
    public double from(double share) {
      return Math.max(share - low, high - share);
    }
  }

  /** Upper bounds of q, one for each piece of [0, 1]. */
  private final double[] quantiles;

  private final double widest;

  private ShareInterval(double[] quantiles) {
    this.quantiles = quantiles;
    this.widest = Arrays.stream(quantiles).max().orElseThrow();
  }

  /** The piece that a share lies in, or the nearest one. */
  private int place(double share) {
    return (int)
        Math.max(0, Math.min(quantiles.length - 1.0, Math.floor(share * quantiles.length)));
  }

  /**
   * That of one noise. It is kept, since every window asks for the same.
   *
   * @param categories d, at least 1
   */
  public static ShareInterval of(AdditiveNoise noise, int categories) {
    return KNOWN.of(new Asked(noise, categories), asked -> made(noise, categories));
  }

  private static ShareInterval made(AdditiveNoise noise, int categories) {
    // On a piece (1 - t) e - t R moves by (e + R) / pieces: an eighth of a deviation at most.
    int pieces = Math.max(LEAST_PIECES, (int) Math.ceil(8 * Math.sqrt(categories)));
    ShareError error = ShareError.of(noise, categories);
    double[] quantiles = new double[pieces];
    for (int i = 0; i < pieces; i++) {
      double from = i / (double) pieces;
      double to = (i + 1) / (double) pieces;
      DoublePredicate tooNarrow = x -> error.atMost(x, from, to) < AdditiveNoise.CONFIDENCE;
      quantiles[i] =
          UP
              * Bisection.doubling(1, Double.MAX_VALUE, tooNarrow)
                  .orElseThrow()
                  .halved(40, tooNarrow)
                  .high();
    }
    return new ShareInterval(quantiles);
  }

  /**
   * Where the truth lies in at least 95 of 100 cases. Of a count that is not possible the interval
   * reaches as far from the nearest share as its noise does there: it never shrinks to a point.
   *
   * @param count z_i, or what was made of it, maybe below 0
   * @param total S; where it is not above 0, every share may be the truth
   */
  public Range range(double count, double total) {
    if (!(total > 0)) {
      return Range.ALL;
    }
    int last = quantiles.length - 1;
    double low = count > total ? Math.max(0, 1 - quantiles[last] / total) : 1;
    double high = count < 0 ? Math.min(1, quantiles[0] / total) : 0;
    int end = place((count + widest) / total);
    for (int i = place((count - widest) / total); i <= end; i++) {
      double from = Math.max((count - quantiles[i]) / total, i / (double) quantiles.length);
      double to = Math.min((count + quantiles[i]) / total, (i + 1) / (double) quantiles.length);
      if (from <= to) {
        low = Math.min(low, from);
        high = Math.max(high, to);
      }
    }
    return new Range(count < 0 ? 0 : low, count > total ? 1 : high);
  }
}
