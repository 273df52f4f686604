// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.random.KeyedRandom;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Independent whole-number noise of one law, with its parameter. A value. */
public sealed interface VectorNoise permits AdditiveNoise, GridNoise {
  /** The word of pipeline files. */
  String method();

  /** Binary digits of its grid: one record is 2^digits steps. */
  int digits();

  /** The parameter in its whole steps: part of what randomness depends on. */
  long steps();

  /** The parameter by name, in records, for people and reports. */
  Map<String, Double> parameters();

  /** Draws, each time it is asked. In steps of the grid. */
  ToLongFunction<KeyedRandom> sampler();

  /**
   * The Rényi divergence of this noise on some whole numbers from the same on others, in nats.
   *
   * @param order above 1
   * @param first numbers of one dataset
   * @param second as many of its neighbour
   */
  double divergence(double order, long[] first, long[] second);

  /** Standard deviation, in steps of the grid. */
  double deviation();
}
