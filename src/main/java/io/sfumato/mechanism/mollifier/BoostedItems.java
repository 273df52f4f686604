// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.noise.ReplayableRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Items with numbers, or with both, from a boosted density.
 *
 * @param boosting with its learner and reference
 */
public record BoostedItems(Boosting boosting) implements ItemSampler {
  @Override
  public String method() {
    return "mollifier";
  }

  @Override
  public Charge charge() {
    return Charge.pure(
        "boosted mollifier epsilon=%s rounds=%d learner=%s pool=%d reference=%s"
            .formatted(
                boosting.epsilon(),
                boosting.rounds(),
                boosting.learner().text(),
                boosting.pool().size(),
                boosting.reference().text()),
        PrivacyUnit.DATASET,
        boosting.epsilon().roundedDown());
  }

  @Override
  public Map<String, Double> parameters() {
    double epsilon = boosting.epsilon().roundedDown();
    return new TreeMap<>(
        Map.of(
            "epsilon_item",
            epsilon,
            "rounds",
            (double) boosting.rounds(),
            "theta_1",
            Boosting.thetas(epsilon, 1)[0],
            "most_expected_tries",
            mostTries(epsilon, boosting.rounds())));
  }

  /**
   * Expected number of tries of the rejection sampler at most: e^(2 ln 2 sum theta), below
   * e^(eps/2).
   */
  public static double mostTries(double epsilon, int rounds) {
    return StrictMath.exp(
        2 * Boosting.CLIP * Arrays.stream(Boosting.thetas(epsilon, rounds)).sum());
  }

  @Override
  public Law law(ItemData dataset) {
    Boosting.Fit fit = boosting.fit(dataset.points());
    return new Law() {
      @Override
      public Point draw(ReplayableRandom random) {
        return fit.density().draw(random);
      }

      @Override
      public int failures() {
        return fit.failures();
      }
    };
  }
}
