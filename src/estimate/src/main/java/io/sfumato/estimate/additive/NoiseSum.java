// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Bisection;
import io.sfumato.mechanism.additive.AdditiveNoise;

/**
 * The sum of two independent whole-number noises, X and Y, which need not be of one law: what an
 * interval around the sum of two published counts is made of.
 *
 * <p>{@code P[|X + Y| > h] = sum over x of P[X = x] P[|x + Y| > h]}. Both laws are symmetric and
 * fall with the distance from 0, so the second factor rises with |x|: one step further it grows by
 * {@code P[Y = h - x] - P[Y = h + x + 1] >= 0}. Hence it may be taken at the far end of a block of
 * x, which makes the sum larger. A narrow X is summed up one by one, a wide one in 4,096 blocks.
 */
public final class NoiseSum {
  /** What lies beyond a reach counts as missed. */
  private static final double NEGLIGIBLE = 1e-13;

  /** Covers sums that are integrals by midpoints ({@link NoiseLaw}), and roundings. */
  private static final double SLACK = 1e-5;

  private static final int BLOCKS = 1 << 12;

  private final Tail narrow;
  private final Tail wide;

  /** Of two draws that are independent of each other. */
  public NoiseSum(AdditiveNoise one, AdditiveNoise other) {
    boolean inOrder = one.deviation() <= other.deviation();
    this.narrow = new Tail(NoiseLaw.of(inOrder ? one : other));
    this.wide = new Tail(NoiseLaw.of(inOrder ? other : one));
  }

  /**
   * How often the sum is further than this from 0: never below the truth, but for 1e-5.
   *
   * @param distance whole, at least 0
   */
  double tail(long distance) {
    long width = Math.max(1, narrow.reach() / BLOCKS);
    double sum = 2 * narrow.above(narrow.reach()) + narrow.between(0, 0) * 2 * wide.above(distance);
    for (long from = 1; from <= narrow.reach(); from += width) {
      long to = Math.min(narrow.reach(), from + width - 1);
      sum += 2 * narrow.between(from, to) * (wide.above(distance - to) + wide.above(distance + to));
    }
    return sum;
  }

  /**
   * Half the width of the interval around the sum of both counts in which the truth lies with
   * probability {@link AdditiveNoise#CONFIDENCE}: a whole number, rounded up.
   */
  public long halfWidth() {
    double missed = 1 - AdditiveNoise.CONFIDENCE - SLACK;
    if (tail(0) <= missed) {
      return 0;
    }
    long most = narrow.reach() + wide.reach() + 1;
    return Bisection.largest(0, most, distance -> tail(distance) > missed) + 1;
  }

  /** How often one noise is above a number. */
  private static final class Tail {
    private final NoiseLaw noise;

    /** Logarithm of what all probabilities add up to. */
    private final double lnAll;

    /** So far that more is negligible. */
    private final long reach;

    /** P[X > x] for x of 0 and above; empty where that is a formula. */
    private final double[] known;

    Tail(NoiseLaw noise) {
      this.noise = noise;
      this.lnAll =
          StrictMath.log(2 * StrictMath.exp(noise.logAtMost(0)) - StrictMath.exp(noise.log(0)));
      this.reach = found();
      this.known = new double[reach < BLOCKS ? (int) reach + 1 : 0];
      for (int x = 0; x < known.length; x++) {
        known[x] = computed(x);
      }
    }

    private long found() {
      long most = 1;
      while (computed(most) > NEGLIGIBLE) {
        most *= 2;
      }
      return computed(0) > NEGLIGIBLE
          ? Bisection.largest(0, most, x -> computed(x) > NEGLIGIBLE) + 1
          : 1;
    }

    private double computed(long x) {
      return StrictMath.exp(noise.logAtMost(-x - 1) - lnAll);
    }

    long reach() {
      return reach;
    }

    double above(long x) {
      if (x < 0) {
        return 1 - above(-x - 1);
      }
      if (x > reach) {
        return NEGLIGIBLE;
      }
      return known.length == 0 ? computed(x) : known[(int) x];
    }

    /** P[from <= X <= to], of numbers of 0 and above. */
    double between(long from, long to) {
      return above(from - 1) - above(to);
    }
  }
}
