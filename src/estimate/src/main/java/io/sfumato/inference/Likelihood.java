// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.modeller.PseudoData;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How likely one release is: its noise is known, so that what was published has a density given the
 * data. For many threads.
 *
 * <p>Pseudo-data of as many records as the window makes the density an unbiased estimate of the
 * release's likelihood under the candidate's parameters, so that weighting draws by it is exact
 * (Andrieu, Roberts 2009, "The pseudo-marginal approach"): the simulation's own spread is in the
 * pseudo-data and need not be added.
 */
public interface Likelihood {
  /** Records of pseudo-data that a candidate simulates, at least 1: N of the window. */
  int records();

  /**
   * Log-density of the release if the window's data were these, up to a constant of the release.
   *
   * @throws IllegalArgumentException if pseudo-data are of another kind than the release is about;
   *     says which it wants
   */
  double log(PseudoData simulated);

  /**
   * How many independent squares the log-density is less half of: a model that is right misses by
   * about as many. Nothing where it is no such sum.
   */
  default OptionalInt squares() {
    return OptionalInt.empty();
  }

  /**
   * One that varies less with what is simulated, where the data's own spread is far larger than the
   * noise; this one where nothing is gained.
   *
   * @param typical pseudo-data of parameters that fit
   */
  default Likelihood spread(PseudoData typical) {
    return this;
  }

  /**
   * The same with the data integrated out exactly, where records are independent draws of a
   * category each; nothing where that is not known, and data must be simulated.
   *
   * @param shares probability of each category, adding up to 1
   * @throws IllegalArgumentException if the release has other categories
   */
  default OptionalDouble logOfShares(double[] shares) {
    return OptionalDouble.empty();
  }
}
