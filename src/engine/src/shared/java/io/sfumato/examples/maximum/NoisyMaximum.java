// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples.maximum;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The category with the largest noisy count: post-processing of the noise on all of them, whose
 * loss it is charged.
 *
 * @param counts the noise, with its charge
 */
record NoisyMaximum(CountMeasurement<CountQuery> counts)
    implements Mechanism<Histogram, NoisyMaximum.Largest> {
  /** The category whose noisy count is the largest. */
  record Largest(int category) implements ReleasedData {}

  @Override
  public Charge charge() {
    Charge noise = counts.charge();
    return new Charge(
        "noisy-maximum " + noise.mechanism(),
        noise.unit(),
        noise.curve(),
        noise.pure(),
        noise.profile());
  }

  @Override
  public String method() {
    return counts.method();
  }

  @Override
  public Map<String, Double> parameters() {
    return counts.parameters();
  }

  @Override
  public Law<Largest> law(Histogram exact) {
    Law<NoisyVector> noisy = counts.law(ExactVector.byCategory(exact));
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        noisy.frame(framing.text("noisy-maximum"));
      }

      @Override
      public Largest draw(ReplayableRandom random) {
        return new Largest(largest(noisy.draw(random).values()));
      }
    };
  }

  private static int largest(long[] noisy) {
    int largest = 0;
    for (int i = 1; i < noisy.length; i++) {
      largest = noisy[i] > noisy[largest] ? i : largest;
    }
    return largest;
  }

  /** Of all noisy counts, of which the largest is post-processing. */
  @Override
  public OptionalDouble divergence(double order, Histogram first, Histogram second) {
    return counts.divergence(order, ExactVector.byCategory(first), ExactVector.byCategory(second));
  }
}
