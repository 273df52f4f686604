// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import io.sfumato.accounting.StandardNormal;

/**
 * How far below a threshold a true value may lie, given by how much a normal estimate of it passed:
 * everything in deviations of the estimate. An estimate that is looked at only because it passed is
 * too large on average, and the more so the less it passed by.
 *
 * <p>Tabulated once, 400 places for each factor of e, and taken from the next place below: from
 * there the lower end is further away from the estimate (docs/theory/partition-selection.md, "Error
 * bars of names").
 */
final class PassedTail {
  private static final double LEAST = 1e-3;
  private static final double MOST = 12;
  private static final int EACH = 400;

  /** m + passed, by passed: what passed by more reaches less far. */
  private final double[] reaches;

  /**
   * @param level with which a true value further below leads to an estimate as large, of those that
   *     pass
   */
  PassedTail(double level) {
    this.reaches = new double[(int) (EACH * StrictMath.log(MOST / LEAST)) + 1];
    for (int i = 0; i < reaches.length; i++) {
      double passed = LEAST * StrictMath.exp(i / (double) EACH);
      reaches[i] = passed + depth(level, passed);
    }
  }

  /**
   * How far the lower end of the true value is below the threshold; negative where it is above, and
   * infinite where hardly anything passed.
   *
   * @param passed by how much the estimate did, at least 0
   */
  double below(double passed) {
    if (passed < LEAST) {
      return Double.POSITIVE_INFINITY;
    }
    int place = Math.min(reaches.length - 1, (int) (StrictMath.log(passed / LEAST) * EACH));
    return reaches[place] - passed;
  }

  /**
   * The standard normal number x that an estimate of a given true value comes to, of those that
   * pass: {@code Q(x) = Q(below + passed) / Q(below)}; never above it by more than roundings.
   *
   * @param below how far the true value is below the threshold
   * @param passed by how much the estimate did, at least 0
   */
  static double score(double below, double passed) {
    double ln = lnAbove(below + passed) - lnAbove(below);
    double low = -10;
    double high = below + passed;
    if (lnAbove(low) <= ln) {
      return Double.NEGATIVE_INFINITY;
    }
    for (int i = 0; i < 50; i++) {
      double middle = (low + high) / 2;
      if (lnAbove(middle) > ln) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * m with {@code Q(m + passed) = level Q(m)}, Q the normal law's upper tail; never below it by
   * more than roundings.
   *
   * @param level as of a table, above 0, below 1
   * @param passed above 0
   */
  static double depth(double level, double passed) {
    double ln = StrictMath.log(level);
    double low = -passed - 10;
    double high = -ln / passed + 10;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (lnAbove(middle + passed) - lnAbove(middle) > ln) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static double lnAbove(double x) {
    return StandardNormal.lnPhi(-x);
  }
}
