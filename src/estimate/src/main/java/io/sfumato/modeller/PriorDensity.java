// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

/**
 * The density that parameters are drawn with: what lets candidates be drawn from elsewhere and be
 * weighted for it.
 */
public interface PriorDensity {
  /** Coordinates without bounds. */
  Coordinates coordinates();

  /** Logarithm of the density, in parameters; -infinity where the prior draws none. */
  double log(double[] theta);
}
