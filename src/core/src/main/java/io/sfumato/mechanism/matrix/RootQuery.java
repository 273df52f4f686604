// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.random.CanonicalEncoder;

/**
 * C x of Theorem J of docs/theory/running-sums.md, on the grid that C's entries are whole on: x has
 * the number of records of each row. {@link RootSensitivity} says how far neighbours move it.
 *
 * @param root C
 */
public record RootQuery(ToeplitzRoot root) implements VectorQuery {
  @Override
  public int digits() {
    return GridNoise.DIGITS;
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    encoder
        .text("factorised")
        .number(root.rows())
        .number(root.band())
        .text(measurement.noise().method())
        .number(measurement.noise().digits())
        .number(measurement.noise().steps())
        .numbers(exact.values());
  }

  @Override
  public long[] vector(ExactVector exact) {
    return root.times(exact);
  }
}
