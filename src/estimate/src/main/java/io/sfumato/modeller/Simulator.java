// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/** A model of data: a prior over its parameters, and a way to draw pseudo-data from them. */
public interface Simulator {
  /** One name for each parameter. */
  List<String> parameters();

  /**
   * Fills what is NaN from the model's own prior, first parameter first; a later one may depend on
   * an earlier one.
   */
  void complete(double[] theta, UniformRandomProvider random);

  /** Whether the model makes sense with these parameters. */
  default boolean isPlausible(double[] theta) {
    return true;
  }

  /** The density of the model's own prior; nothing where it is not known. */
  default Optional<OwnPrior> ownPrior() {
    return Optional.empty();
  }

  /**
   * The probability of each category, where pseudo-data are counts of independent records; nothing
   * where they are more than that.
   */
  default Optional<double[]> shares(double[] theta) {
    return Optional.empty();
  }

  /** Whether pseudo-data are of as many records as are wanted. */
  default boolean givesAsManyAsWanted() {
    return true;
  }

  /**
   * Draws pseudo-data.
   *
   * @param records wanted, at least 1; a model that decides for itself ignores it
   */
  PseudoData simulate(double[] theta, int records, UniformRandomProvider random);
}
