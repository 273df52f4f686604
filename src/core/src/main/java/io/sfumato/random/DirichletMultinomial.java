// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Dirichlet-multinomial draws in whole numbers (Polya's urn): item after item, with a chance in
 * proportion to the category's weight plus the items that it already has. Exact in distribution.
 */
public final class DirichletMultinomial {
  private DirichletMultinomial() {}

  /**
   * Items by category, for y ~ Dirichlet((r f + a) / one) and {@code items} independent draws from
   * y.
   *
   * @param counts f, each at least 0
   * @param r weight of one record, at least 0
   * @param a weight of the prior in each category, at least 1
   * @param one weight that stands for 1
   * @param items number of items, at least 0, below 2^31
   */
  public static long[] draw(
      KeyedRandom random, long[] counts, long r, long a, long one, long items) {
    int[] drawn = new int[Math.toIntExact(items)];
    long[] cumulative = cumulative(counts, r, a, one, items);
    if (cumulative.length == 0) {
      large(random, counts, r, a, one, drawn);
    } else {
      long total = cumulative[cumulative.length - 1];
      for (int i = 0; i < drawn.length; i++) {
        // The weights of earlier items come after the first total, "one" each.
        long u = ExactRandom.uniform(random, total + i * one);
        drawn[i] = u < total ? categoryOf(cumulative, u) : drawn[(int) ((u - total) / one)];
      }
    }
    long[] byCategory = new long[counts.length];
    for (int category : drawn) {
      byCategory[category]++;
    }
    return byCategory;
  }

  private static int categoryOf(long[] cumulative, long u) {
    int place = Arrays.binarySearch(cumulative, u);
    // cumulative[i] is the first u of category i + 1.
    return place >= 0 ? place + 1 : -place - 1;
  }

  /** Running sums of the weights; nothing if they do not fit with the items' into a long. */
  private static long[] cumulative(long[] counts, long r, long a, long one, long items) {
    long[] cumulative = new long[counts.length];
    try {
      long sum = 0;
      for (int i = 0; i < counts.length; i++) {
        sum = Math.addExact(sum, Math.addExact(Math.multiplyExact(counts[i], r), a));
        cumulative[i] = sum;
      }
      Math.addExact(sum, Math.multiplyExact(one, items));
      return cumulative;
    } catch (ArithmeticException e) {
      return new long[0];
    }
  }

  /**
   * The same for weights beyond 2^63: slow, and needed by nobody who has less than 10^9 records.
   */
  private static void large(
      KeyedRandom random, long[] counts, long r, long a, long one, int[] drawn) {
    BigInteger total = BigInteger.ZERO;
    BigInteger[] weights = new BigInteger[counts.length];
    for (int i = 0; i < counts.length; i++) {
      weights[i] =
          BigInteger.valueOf(counts[i]).multiply(BigInteger.valueOf(r)).add(BigInteger.valueOf(a));
      total = total.add(weights[i]);
    }
    BigInteger unit = BigInteger.valueOf(one);
    for (int i = 0; i < drawn.length; i++) {
      BigInteger u = ExactRandom.uniform(random, total.add(unit.multiply(BigInteger.valueOf(i))));
      if (u.compareTo(total) >= 0) {
        drawn[i] = drawn[u.subtract(total).divide(unit).intValueExact()];
        continue;
      }
      int category = 0;
      while (u.compareTo(weights[category]) >= 0) {
        u = u.subtract(weights[category++]);
      }
      drawn[i] = category;
    }
  }
}
