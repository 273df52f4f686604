// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.count;

import java.util.Map;
import java.util.SortedMap;

/**
 * The bound C of a user's records with the least total error: what it cuts off, and noise in
 * proportion to C. One more record of each user adds h of noise, and cuts off one record less of
 * every user beyond C. So C is best where h users are beyond it (docs/theory/bounded-users.md, "The
 * best bound").
 */
public final class BestBound {
  private BestBound() {}

  /**
   * The best bound; of several the least one.
   *
   * @param users how many have so many records, by this number; public, or published: noisy ones
   *     may be below 0
   * @param noise h, half the width of a count's interval for C = 1, in records, at least 0
   * @param most that is allowed, at least 1
   * @return C, 1 to {@code most}
   */
  public static int of(SortedMap<Integer, Double> users, double noise, int most) {
    int best = 1;
    double least = 0;
    double error = 0;
    for (int bound = 1; bound < most; bound++) {
      // From one bound to the next.
      error += noise - beyond(users, bound);
      if (error < least) {
        least = error;
        best = bound + 1;
      }
    }
    return best;
  }

  /**
   * The same where it is known of some bounds alone how many users are beyond them. Between two of
   * them this number is taken to fall by one factor a record; the bound is at most four times the
   * smaller one. Where it is above h beyond the largest one, the bound is twice that; where it is
   * at most h beyond the smallest one, it is that.
   *
   * @param beyond users with more records, by bound, at least one; published: noisy ones may be
   *     below 0, or rise
   * @param noise h, above 0
   * @param most that is allowed, at least the largest bound
   * @return C, 1 to {@code most}
   */
  public static int ofBeyond(SortedMap<Integer, Double> beyond, double noise, int most) {
    int enough = beyond.firstKey();
    double users = Double.NaN;
    for (Map.Entry<Integer, Double> known : beyond.entrySet()) {
      if (known.getValue() <= noise) {
        return Double.isNaN(users)
            ? known.getKey()
            : between(enough, users, known.getKey(), known.getValue(), noise);
      }
      enough = known.getKey();
      users = known.getValue();
    }
    return (int) Math.min(most, 2L * enough);
  }

  /** Where a number that falls by one factor a record comes to h. */
  private static int between(int bound, double above, int next, double users, double noise) {
    // Less than half a user is nobody: noise may say less.
    double below = Math.max(users, Math.min(0.5, noise));
    double part =
        below >= noise ? 1 : StrictMath.log(above / noise) / StrictMath.log(above / below);
    return (int) Math.min(4L * bound, bound + (long) Math.ceil((next - bound) * part));
  }

  private static double beyond(SortedMap<Integer, Double> users, int bound) {
    return users.tailMap(bound + 1).values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
