// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Items with numbers, or with both, from a boosted density.
 *
 * @param boosting with its learner and reference
 * @param charge of one item
 */
public record BoostedItems(Boosting boosting, PrivacyCost charge) implements ItemMechanism {
  /**
   * With its charge, of unit dataset: any two datasets are neighbours. Purely epsilon by the clip
   * of the scores and the thetas alone (Theorem 5 of the paper's long version), whatever was
   * learned.
   */
  public BoostedItems(Boosting boosting) {
    this(
        boosting,
        PrivacyCost.pure(
            String.format(
                Locale.ROOT,
                "boosted mollifier epsilon=%s rounds=%d learner=%s pool=%d reference=%s",
                boosting.epsilon(),
                boosting.rounds(),
                boosting.learner().text(),
                boosting.pool().size(),
                boosting.reference().text()),
            PrivacyUnit.DATASET,
            boosting.epsilon().roundedDown()));
  }

  @Override
  public String method() {
    return "mollifier";
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
   *
   * @param epsilon in nats, above 0
   * @param rounds T, at least 1
   */
  public static double mostTries(double epsilon, int rounds) {
    return StrictMath.exp(
        2 * Boosting.CLIP * Arrays.stream(Boosting.thetas(epsilon, rounds)).sum());
  }

  @Override
  public ItemLaw distribution(ItemData dataset) {
    Boosting.Fit fit = boosting.fit(dataset.points());
    return new ItemLaw(charge, dataset, fit.density()::draw, fit.failures());
  }
}
