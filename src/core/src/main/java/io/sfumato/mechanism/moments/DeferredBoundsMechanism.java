// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Noise on the parts of numbers whose bounds were found before: for any bounds, the same in both
 * neighbours since they are an earlier output, that of a {@link MomentQuery}.
 *
 * @param moments with a {@link MomentSensitivity#rounded} sensitivity
 */
public record DeferredBoundsMechanism(VectorMeasurement<?> moments)
    implements Mechanism<OpenSums, NoisyVector> {
  /**
   * @throws IllegalArgumentException unless its query is a {@link MomentQuery} whose sensitivity is
   *     rounded
   */
  public DeferredBoundsMechanism {
    if (!(moments.query() instanceof MomentQuery query) || query.way().roundings() < 1) {
      throw new IllegalArgumentException("sums that are rounded need noise for that");
    }
  }

  @Override
  public String method() {
    return moments.method();
  }

  @Override
  public PrivacyCost charge() {
    return moments.charge();
  }

  @Override
  public Map<String, Double> parameters() {
    return moments.parameters();
  }

  @Override
  public OutputDistribution<NoisyVector> distribution(OpenSums exact) {
    OutputDistribution<NoisyVector> distribution = moments.distribution(exact.sums());
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        encoder.text("found-bounds").number(exact.bounds().size());
        for (PowerBounds bounds : exact.bounds()) {
          encoder.number(bounds.lowest()).number(bounds.highest());
        }
        distribution.encodeInput(encoder);
      }

      @Override
      public NoisyVector draw(KeyedRandom random) {
        return distribution.draw(random);
      }
    };
  }

  /** At the bounds of the first: what was released before is the same in both. */
  @Override
  public OptionalDouble divergence(double order, OpenSums first, OpenSums second) {
    return moments.divergence(order, first.sums(), second.within(first.bounds()).sums());
  }
}
