// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.PrivacyCost;
import java.util.Map;
import java.util.TreeMap;

/**
 * Soft weights: every candidate is answered by its noisy distance.
 *
 * @param threshold the unit of the published distances, above 0
 * @param mu what one query may reveal: no more than a Gaussian release of mu
 */
public record SoftQueries(double threshold, double mu) implements QueryMechanism {
  @Override
  public String method() {
    return "soft";
  }

  /**
   * Unit record: one record's value is replaced, which moves each distance by at most D. As one
   * Gaussian release, of which all answers are post-processing (the paper's Theorem 3.3; Theorem D
   * of docs/theory/additive-noise.md).
   */
  @Override
  public PrivacyCost charge() {
    return GaussianBudget.charge("soft-query", " threshold=" + Double.toHexString(threshold), mu);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of("threshold", threshold, "mu", mu));
  }

  @Override
  public SoftWeights noise(double sensitivity, long candidates) {
    return SoftWeights.of(mu, candidates, sensitivity, threshold);
  }
}
