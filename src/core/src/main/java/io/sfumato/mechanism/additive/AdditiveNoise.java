// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Whole-number noise with its parameter: what it costs, and how far it reaches. */
public sealed interface AdditiveNoise permits GaussianNoise, LaplaceNoise {
  /** How often the truth lies within {@link #halfWidth}. */
  double CONFIDENCE = 0.95;

  /** The word of pipeline files. */
  String method();

  /** The parameter in its whole steps: part of what randomness depends on. */
  long steps();

  /** The parameter by name, in records, for people and reports. */
  Map<String, Double> parameters();

  /** Draws, each time it is asked. */
  ToLongFunction<ReplayableRandom> sampler();

  /**
   * What one release costs.
   *
   * @param sensitivity the unit, and how far its neighbours lie apart, in counts: one record is
   *     replaced, or up to C records of a user are added or removed
   */
  Charge charge(Sensitivity sensitivity);

  /**
   * The Rényi divergence of this noise on some counts from the same on others, in nats: exact.
   *
   * @param order above 1
   */
  double divergence(double order, long[] first, long[] second);

  /** Standard deviation, exact. */
  double deviation();

  /** Standard deviation of the continuous noise that it stands for: what floors depend on. */
  double continuousDeviation();

  /**
   * Half the width of the interval around a count in which the truth lies with probability {@link
   * #CONFIDENCE}: a whole number, rounded up. A fact about the noise alone.
   *
   * @param draws how many of them were added up, at least 1
   */
  long halfWidth(int draws);
}
