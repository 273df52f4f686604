// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.history;

/**
 * Counts of which nothing is known but the largest: in proportion to 1 / (f + h + 1/2), so that
 * each order of magnitude is as likely as the next. The sum over all counts is at most the integral
 * ln((n + 1 + h) / h), since the reciprocal is convex.
 *
 * @param half h, above 0: what lies below is one order
 * @param most n, at least 0
 */
record UnknownCount(double half, long most) implements CountPrior {
  @Override
  public double log(long count, double logFactorial) {
    double h = half;
    return -StrictMath.log(count + h + 0.5)
        - StrictMath.log(StrictMath.log(((double) most + 1 + h) / h));
  }
}
