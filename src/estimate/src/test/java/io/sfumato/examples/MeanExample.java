// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Estimate;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.estimate.moments.MomentEstimates;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.random.KeyedRandom;
import java.util.List;

/** How long people wait on average, each of whom adds one record. */
public final class MeanExample {
  private MeanExample() {}

  /** Releases one window of it. */
  public static Estimate run() {
    // example: mean
    CalibrationTarget share =
        new CalibrationTarget("waiting", Epsilon.of("1"), Delta.of("1e-6"), 1);
    MomentSensitivity users = MomentSensitivity.addOrRemove(1, 1, 1);
    GridMeasurement<MomentQuery> mechanism =
        MomentError.best(share, List.of(users)).get(0).mechanism();

    NumberBounds minutes = new NumberBounds(0, 120); // public: what is outside counts as an end
    BernsteinParts parts = new BernsteinParts(minutes, 1);
    ExactVector exact = ExactVector.none(2);
    for (int person = 0; person < 400; person++) {
      exact = exact.plus(new ExactVector(parts.of(10 + person % 50)));
    }

    // For a simulation; real releases go through Gate.release.
    KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
    NoisyVector drawn = mechanism.distribution(exact).draw(random);
    NoisyMoments noisy = NoisyMoments.of(mechanism.query(), drawn);
    Estimate mean = MomentEstimates.of(mechanism, noisy, 0, 0, minutes).mean();
    System.out.printf("%.1f minutes, %.1f to %.1f%n", mean.value(), mean.low(), mean.high());
    // end
    return mean;
  }
}
