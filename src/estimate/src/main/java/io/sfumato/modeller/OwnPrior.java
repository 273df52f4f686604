// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.BitSet;

/** The density of a simulator's own prior, as {@link Simulator#complete} draws from it. */
public interface OwnPrior {
  /** Coordinates without bounds, of all parameters. */
  Coordinates coordinates();

  /**
   * Logarithm of the density of those parameters that are not given, at the others' values;
   * -infinity where none is drawn.
   *
   * @param given places of parameters that another prior gives
   */
  double log(double[] theta, BitSet given);
}
