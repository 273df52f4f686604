// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Noise on the parts of numbers whose bounds were found before: for any bounds, the same in both
 * neighbours since they are an earlier output, that of a {@link MomentQuery}.
 *
 * @param moments with a {@link MomentSensitivity#rounded} sensitivity
 */
public record OpenMechanism(VectorMeasurement<?> moments)
    implements Mechanism<OpenSums, NoisyVector> {
  public OpenMechanism {
    if (!(moments.query() instanceof MomentQuery query) || query.way().roundings() < 1) {
      throw new IllegalArgumentException("sums that are rounded need noise for that");
    }
  }

  @Override
  public String method() {
    return moments.method();
  }

  @Override
  public Charge charge() {
    return moments.charge();
  }

  @Override
  public Map<String, Double> parameters() {
    return moments.parameters();
  }

  @Override
  public Law<NoisyVector> law(OpenSums exact) {
    Law<NoisyVector> law = moments.law(exact.sums());
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing.text("found-bounds").number(exact.bounds().size());
        for (PowerBounds bounds : exact.bounds()) {
          framing.number(bounds.lowest()).number(bounds.highest());
        }
        law.frame(framing);
      }

      @Override
      public NoisyVector draw(ReplayableRandom random) {
        return law.draw(random);
      }
    };
  }

  /** At the bounds of the first: what was released before is the same in both. */
  @Override
  public OptionalDouble divergence(double order, OpenSums first, OpenSums second) {
    return moments.divergence(order, first.sums(), second.within(first.bounds()).sums());
  }
}
