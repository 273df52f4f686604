// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;

/**
 * Noise on whole steps of a grid that is finer than records.
 *
 * @param <Q> the query
 * @param query whose numbers are whole steps
 * @param sensitivity of all numbers together, in steps
 * @param noise on every number, in steps of the same grid
 */
public record GridMeasurement<Q extends VectorQuery>(
    Q query, GridSensitivity sensitivity, GridNoise noise) implements VectorMeasurement<Q> {
  /**
   * @throws IllegalArgumentException if query and noise have different grids
   */
  public GridMeasurement {
    if (noise.digits() != query.digits()) {
      throw new IllegalArgumentException(
          "the query is whole on the grid 2^-%d, its noise on 2^-%d"
              .formatted(query.digits(), noise.digits()));
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

  /** Standard deviation of the noise, where 1 is a record. */
  public double deviation() {
    return Math.scalb(noise.deviation(), -noise.digits());
  }
}
