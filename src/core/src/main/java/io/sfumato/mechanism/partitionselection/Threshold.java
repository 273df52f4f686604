// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.mechanism.additive.GridNoise;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Pattern;

/**
 * From which noisy count on a name is published: docs/theory/partition-selection.md, Theorem M.
 *
 * @param least tau: the least count that passes, in records, above those of one user
 */
public record Threshold(long least) {
  /** How names of charges end that publish what passes a threshold. */
  private static final Pattern IN_CHARGE = Pattern.compile(" from-\\d+(?:-to-\\d+)?$");

  /** So far are noises looked at; more than any that a share affords. */
  private static final long MOST = 1L << 50;

  /** Covers the roundings of probabilities. */
  private static final double UP = 1 + 1e-9;

  /** Chances below which a threshold is looked for. */
  public static final double MOST_CHANCE = 0.25;

  /**
   * Whether a charge publishes what passes a threshold, so that a part of its share's delta pays
   * for that.
   *
   * @param charge name of the charge's mechanism
   */
  public static boolean isPartOf(String charge) {
    return IN_CHARGE.matcher(charge).find();
  }

  /**
   * The least one at which a user's names, if nobody else has any of them, pass next to never.
   *
   * @param noise of a count
   * @param bounds of the user
   * @param chance with which any of them may pass in one window, above 0, at most 1/4
   * @throws IllegalArgumentException if the chance is out of range
   */
  public static Threshold of(GridNoise noise, NameBounds bounds, double chance) {
    return of(x -> tail(noise, x), bounds, chance);
  }

  /**
   * The same for any noise.
   *
   * @param tail P[Z >= x], x in records: never below the truth, and convex from 1 on
   * @param bounds of the user
   * @param chance with which any of them may pass in one window, above 0, at most 1/4
   * @throws IllegalArgumentException if the chance is out of range
   */
  public static Threshold of(DoubleUnaryOperator tail, NameBounds bounds, double chance) {
    if (!(chance > 0 && chance <= MOST_CHANCE)) {
      throw new IllegalArgumentException("a chance is above 0 and at most 1/4, was " + chance);
    }
    long low = bounds.perName();
    long high = 2 * low;
    while (high < MOST && passing(tail, bounds, high) > chance) {
      low = high;
      high *= 2;
    }
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (passing(tail, bounds, middle) > chance) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return new Threshold(high);
  }

  /** P[Z >= x], x in records: never below the truth. */
  static double tail(GridNoise noise, double x) {
    // "Further than" a step less, on one of two sides.
    return noise.tail(Math.max(0, Math.scalb(x, noise.digits()) - 1), 1) / 2;
  }

  /**
   * The largest probability that any name of one user alone passes. {@code -ln(1 - P[Z + c >=
   * tau])} is convex in c up to tau, so that a corner of the bounds is worst.
   *
   * @param tail P[Z >= x]
   */
  static double passing(DoubleUnaryOperator tail, NameBounds bounds, long least) {
    double full = lnMissing(tail, least - bounds.perName());
    double single = lnMissing(tail, least - 1);
    double all =
        bounds
            .corners()
            .mapToDouble(
                split ->
                    split.full() * full
                        + split.single() * single
                        + (split.rest() > 0 ? lnMissing(tail, least - split.rest()) : 0))
            .min()
            .orElseThrow();
    return -StrictMath.expm1(all) * UP;
  }

  /** ln(1 - P[Z >= x]). */
  private static double lnMissing(DoubleUnaryOperator tail, long x) {
    return StrictMath.log1p(-tail.applyAsDouble(x));
  }
}
