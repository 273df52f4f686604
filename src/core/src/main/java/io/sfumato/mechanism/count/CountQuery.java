// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.random.CanonicalEncoder;

/**
 * Counts as they are: of a window, or of a node of the tree that running counts are made of ({@link
 * CountTree}).
 */
public record CountQuery() implements VectorQuery {
  @Override
  public int digits() {
    return 0;
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    encoder
        .text("count")
        .text(measurement.noise().method())
        .number(measurement.noise().steps())
        .numbers(exact.values());
  }

  @Override
  public long[] vector(ExactVector exact) {
    return exact.values();
  }
}
