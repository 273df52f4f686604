// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;

/** From counts to shares that add up to 1. */
final class CategoryShares {
  /** Of the model without privacy. */
  private static final double PSEUDO_COUNT = 0.1;

  private CategoryShares() {}

  /** Without privacy: shares of counts plus 0.1. */
  static double[] nonPrivate(double[] counts) {
    return normalised(Arrays.stream(counts).map(n -> n + PSEUDO_COUNT).toArray());
  }

  static double[] normalised(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }
}
