// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.random.CanonicalEncoder;
import java.util.OptionalLong;

/**
 * How many records there are in each of the {@link PowerBuckets}: a histogram whose bins are fixed
 * in advance, so that a record is in one of them and nothing else is to be protected.
 */
public record BucketQuery() implements VectorQuery {
  @Override
  public int digits() {
    return 0;
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    encoder
        .text("bounds")
        .text(measurement.noise().method())
        .number(measurement.noise().steps())
        .numbers(exact.values());
  }

  @Override
  public long[] vector(ExactVector exact) {
    records(exact);
    return exact.values();
  }

  @Override
  public OptionalLong records(ExactVector exact) {
    if (exact.size() != PowerBuckets.NUMBER) {
      throw new IllegalArgumentException("every bucket has a count");
    }
    return OptionalLong.of(exact.total());
  }
}
