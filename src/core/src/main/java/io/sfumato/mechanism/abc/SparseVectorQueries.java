// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sparse vector: candidates are compared with a noisy threshold until c were accepted.
 *
 * @param threshold above 0
 * @param epsilon pure, of one query, however many its candidates
 * @param acceptances c, at least 1
 * @param mode whether the noisy threshold is redrawn after each acceptance
 */
public record SparseVectorQueries(
    double threshold, Epsilon epsilon, long acceptances, Threshold mode) implements QueryMechanism {
  @Override
  public String method() {
    return "sparse-vector";
  }

  /**
   * Unit record: one record's value is replaced, which moves each distance by at most D. Purely
   * epsilon for the whole query, however many its candidates (published ABCDP, Entropy 2021).
   */
  @Override
  public PrivacyCost charge() {
    return PrivacyCost.pure(
        String.format(
            Locale.ROOT,
            "sparse-vector-query %s epsilon=%s c=%d threshold=%s",
            mode.word(),
            epsilon,
            acceptances,
            Double.toHexString(threshold)),
        PrivacyUnit.RECORD,
        Math.nextUp(epsilon.roundedDown()));
  }

  /** The noisy thresholds, too. */
  @Override
  public List<Mechanism<?, ?>> paidFor() {
    return List.of(this, new ThresholdMechanism(this));
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            "threshold",
            threshold,
            "epsilon",
            epsilon.roundedDown(),
            "acceptances",
            (double) acceptances));
  }

  @Override
  public SparseVector noise(double sensitivity, long candidates) {
    return SparseVector.plan(epsilon, acceptances, sensitivity, threshold, mode);
  }
}
