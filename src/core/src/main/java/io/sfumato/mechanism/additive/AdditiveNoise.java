// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.Sensitivity;

/** Whole-number noise on counts, with its parameter: what it costs, and how far it reaches. */
public sealed interface AdditiveNoise extends VectorNoise permits GaussianNoise, LaplaceNoise {
  /** How often the truth lies within {@link #halfWidth}. */
  double CONFIDENCE = 0.95;

  /** Counts are whole. */
  @Override
  default int digits() {
    return 0;
  }

  /**
   * What one release costs.
   *
   * @param sensitivity the unit, and how far its neighbours lie apart, in counts: one record is
   *     replaced, or up to C records of a user are added or removed
   */
  PrivacyCost charge(Sensitivity sensitivity);

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
