// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.Charge;
import io.sfumato.noise.WeightedChoice;
import java.util.Map;
import java.util.TreeMap;

/**
 * Items that are a category.
 *
 * @param method its word
 * @param sampler over the categories
 */
public record FiniteItems(String method, FiniteSampler sampler) implements ItemSampler {
  private static final double[] NO_NUMBERS = new double[0];

  @Override
  public Charge charge() {
    return sampler.charge();
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            "epsilon_item", sampler.band().epsilon(),
            "lower", sampler.band().lower(),
            "upper", sampler.band().upper(),
            "worst_case_kl", sampler.worstCaseKl()));
  }

  @Override
  public Law law(ItemData dataset) {
    WeightedChoice choice = new WeightedChoice(sampler.weights(dataset.counts().orElseThrow()));
    return random -> new Point(choice.draw(random), NO_NUMBERS);
  }
}
