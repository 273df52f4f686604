// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rejection: every candidate is answered by an exact coin.
 *
 * @param bound to which distances are clipped, at least the threshold
 * @param threshold above 0
 * @param contract what one query may reveal
 */
public record RejectionQueries(double bound, double threshold, Contract contract)
    implements QueryMechanism {
  private static final MathContext DOWN = new MathContext(20, RoundingMode.FLOOR);

  /** What one query may reveal, and hence its charge. */
  public sealed interface Contract {
    /**
     * No more than a Gaussian release of mu, of which the T coins are post-processing.
     *
     * @param mu sensitivity over standard deviation of that release, above 0
     */
    record Gaussian(double mu) implements Contract {}

    /**
     * Pure epsilon, an equal part for each coin, by the paper's Theorem 3.1.
     *
     * @param epsilon of all coins together
     */
    record Paper(Epsilon epsilon) implements Contract {}
  }

  @Override
  public String method() {
    return "rejection";
  }

  /**
   * Unit record: one record's value is replaced, which moves each distance by at most D. As a
   * Gaussian release, of which the coins are post-processing, or purely epsilon by the paper's
   * Theorem 3.1.
   */
  @Override
  public PrivacyCost charge() {
    String rule =
        " threshold=%s B=%s".formatted(Double.toHexString(threshold), Double.toHexString(bound));
    if (contract instanceof Contract.Gaussian gaussian) {
      return GaussianBudget.charge("rejection-query", rule, gaussian.mu());
    }
    Epsilon epsilon = ((Contract.Paper) contract).epsilon();
    return PrivacyCost.pure(
        "rejection-query paper epsilon=" + epsilon + rule,
        PrivacyUnit.RECORD,
        Math.nextUp(epsilon.roundedDown()));
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new TreeMap<>(Map.of("threshold", threshold, "clip", bound));
    if (contract instanceof Contract.Gaussian gaussian) {
      parameters.put("mu", gaussian.mu());
    } else if (contract instanceof Contract.Paper paper) {
      parameters.put("epsilon", paper.epsilon().roundedDown());
    }
    return parameters;
  }

  @Override
  public RejectionCoin noise(double sensitivity, long candidates) {
    // A clipped distance moves by no more than its clip.
    double moved = Math.min(sensitivity, bound);
    if (contract instanceof Contract.Gaussian gaussian) {
      double sigma = GaussianBudget.sigma(gaussian.mu(), candidates, moved);
      return new RejectionCoin(moved, bound, threshold, sigma);
    }
    BigDecimal whole = ((Contract.Paper) contract).epsilon().value();
    Epsilon each = new Epsilon(whole.divide(BigDecimal.valueOf(candidates), DOWN));
    return RejectionPlan.single(each, moved, bound, threshold, Accountant.PAPER);
  }
}
