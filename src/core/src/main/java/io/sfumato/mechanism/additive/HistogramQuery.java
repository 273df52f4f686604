// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.noise.Framing;
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
  public void encode(Framing framing, VectorMeasurement<?> measurement, ExactVector exact) {
    framing.text(measurement.noise().method()).number(measurement.noise().steps());
    postProcessing.ifPresent(how -> framing.text(how.word()));
    framing.numbers(exact.values());
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
