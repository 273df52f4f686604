// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

/** What is thought of a count before its noisy one is seen. */
interface CountPrior {
  /**
   * Logarithm of its probability: over all counts these add up to 1 at most.
   *
   * @param count at least 0
   * @param logFactorial of the count
   */
  double log(long count, double logFactorial);
}
