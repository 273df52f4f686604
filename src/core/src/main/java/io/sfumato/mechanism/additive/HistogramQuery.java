// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The counts of a histogram, one a category.
 *
 * @param postProcessing what shares are made by, where the noise leaves a choice
 */
public record HistogramQuery(Optional<PostProcessing> postProcessing) implements VectorQuery {
  @Override
  public int digits() {
    return 0;
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    encoder.text(measurement.noise().method()).number(measurement.noise().steps());
    postProcessing.ifPresent(how -> encoder.text(how.word()));
    encoder.numbers(exact.values());
  }

  @Override
  public long[] vector(ExactVector exact) {
    return exact.values();
  }

  @Override
  public OptionalLong records(ExactVector exact) {
    return OptionalLong.of(exact.total());
  }
}
