// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Sensitivity;

/**
 * Noise on counts of records.
 *
 * @param <Q> the query
 * @param query whose numbers are whole counts
 * @param sensitivity of all counts together, in counts
 * @param noise on every count
 */
public record CountMeasurement<Q extends VectorQuery>(
    Q query, Sensitivity sensitivity, AdditiveNoise noise) implements VectorMeasurement<Q> {
  /**
   * @throws IllegalArgumentException if the query's numbers are not whole
   */
  public CountMeasurement {
    if (query.digits() != 0) {
      throw new IllegalArgumentException(
          "noise on counts is for whole counts, not for steps of 2^-" + query.digits());
    }
    query.requireUnit(sensitivity.unit());
  }

  @Override
  public PrivacyUnit unit() {
    return sensitivity.unit();
  }

  @Override
  public PrivacyCost charge() {
    return noise.charge(sensitivity);
  }
}
