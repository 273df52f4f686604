// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.random.WeightedChoice;
import java.util.Map;
import java.util.Optional;

/**
 * Items that are a category.
 *
 * @param method its word
 * @param sampler over the categories
 * @param charge of one item
 */
public record FiniteItems(String method, FiniteSampler sampler, PrivacyCost charge)
    implements ItemMechanism {
  private static final double[] NO_NUMBERS = new double[0];

  /**
   * With its charge, of unit dataset: any two datasets are neighbours. Purely epsilon, since all
   * laws lie in one band around the reference (equation 8 of the paper on integral privacy).
   *
   * @param method its name, as charges have it
   */
  public FiniteItems(String method, FiniteSampler sampler) {
    this(
        method,
        sampler,
        PrivacyCost.pure(sampler.text(), PrivacyUnit.DATASET, sampler.band().epsilon()));
  }

  @Override
  public Map<String, Double> parameters() {
    return sampler.parameters("worst_case_kl", sampler.worstCaseKl());
  }

  @Override
  public ItemLaw distribution(ItemData dataset) {
    WeightedChoice choice = new WeightedChoice(weights(dataset));
    return new ItemLaw(charge, dataset, random -> new Point(choice.draw(random), NO_NUMBERS));
  }

  @Override
  public Optional<double[]> probabilities(ItemData dataset) {
    return Optional.of(FiniteSampler.shares(weights(dataset)));
  }

  private long[] weights(ItemData dataset) {
    return sampler.weights(dataset.counts().orElseThrow());
  }
}
