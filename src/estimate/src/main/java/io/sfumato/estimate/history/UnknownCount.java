// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

/**
 * Counts of which nothing is known but the largest: in proportion to 1 / (f + h + 1/2), so that
 * each order of magnitude is as likely as the next. The sum over all counts is at most the integral
 * ln((n + 1 + h) / h), since the reciprocal is convex.
 */
final class UnknownCount implements CountPrior {
  private final double half;
  private final double logAll;

  /**
   * @param half h, above 0: what lies below is one order
   * @param most n, at least 0
   */
  UnknownCount(double half, long most) {
    this.half = half;
    this.logAll = StrictMath.log(StrictMath.log(((double) most + 1 + half) / half));
  }

  @Override
  public double log(long count, double logFactorial) {
    return -StrictMath.log(count + half + 0.5) - logAll;
  }
}
