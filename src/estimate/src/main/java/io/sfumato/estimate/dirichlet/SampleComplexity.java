// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import static org.apache.commons.math3.special.Gamma.logGamma;

import io.sfumato.accounting.Bisection;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * How many records one release needs so that KL(p || q) is at most eta nats with a probability, p
 * the histogram's shares and q ~ Dirichlet(r f + a): the N_f of the paper's section 4, and two that
 * are less (docs/theory/dirichlet.md, "How many records").
 *
 * @param pair r and a; a is at least 1/2, which the proof of Theorem 2 needs
 * @param categories d, at least 2
 * @param eta nats, above 0 and at most 100
 * @param confidence in (0, 1)
 */
public record SampleComplexity(
    DirichletParameters pair, int categories, double eta, double confidence) {
  private static final double MOST_RECORDS = 1e18;

  /**
   * @throws IllegalArgumentException unless there are at least 2 categories, eta is above 0 and at
   *     most 100, and the confidence lies in (0, 1)
   */
  public SampleComplexity {
    if (categories < 2) {
      throw new IllegalArgumentException("at least 2 categories, was " + categories);
    }
    if (!(eta > 0) || eta > 100) {
      throw new IllegalArgumentException("eta must be above 0 and at most 100, was " + eta);
    }
    if (!(confidence > 0) || !(confidence < 1)) {
      throw new IllegalArgumentException("confidence must be in (0, 1), was " + confidence);
    }
  }

  /** -ln of how often KL may be larger. */
  private double wanted() {
    return -StrictMath.log1p(-confidence);
  }

  /**
   * By Theorem 2, for any histogram: {@code N_f = max(2 (2 + eta)(4 + 3 eta) / eta^2 ln(1 / (1 -
   * confidence)), d a / (e^(eta/2) - 1)) / r}.
   */
  public double byTheorem2() {
    double tail = 2 * (2 + eta) * (4 + 3 * eta) / (eta * eta) * wanted();
    double prior = categories * pair.a() / StrictMath.expm1(eta / 2);
    return Math.max(tail, prior) / pair.r();
  }

  /**
   * By the paper's proof before its last estimates (equation 22), for any histogram: the least N
   * with {@code b (W - 1)^2 / W >= ln(1 / (1 - confidence))}, b = r N, W e^W = b e^(1 + eta) / (b +
   * d a).
   *
   * @return nothing if it is more than 10^18
   */
  public OptionalDouble byItsProof() {
    return least(this::exponent);
  }

  /** Equation 22; 0 where it says nothing. */
  private double exponent(double b) {
    double lnX = 1 + eta - StrictMath.log1p(categories * pair.a() / b);
    if (!(lnX > 1)) {
      return 0;
    }
    double w = lnX;
    for (int i = 0; i < 50; i++) {
      w -= (w + StrictMath.log(w) - lnX) / (1 + 1 / w); // Newton, of a concave function
    }
    return b * (w - 1) * (w - 1) / w;
  }

  /**
   * For histograms like a public plan: Chernoff's bound of this p, whose moments are Dirichlet
   * integrals (equation 20), at its best t.
   *
   * @return nothing if it is more than 10^18
   */
  public OptionalDouble ofPlan(PlanningModel plan) {
    return least(b -> chernoff(plan, b));
  }

  private double chernoff(PlanningModel plan, double b) {
    double mostT =
        plan.shares().stream()
            .filter(p -> p > 0)
            .mapToDouble(p -> b + pair.a() / p)
            .min()
            .orElseThrow();
    double low = 0;
    double high = mostT * (1 - 1e-9);
    for (int i = 0; i < 100; i++) { // the logarithm of moments is convex in t
      double first = low + (high - low) / 3;
      double second = high - (high - low) / 3;
      if (lnMoment(plan, b, first) - first * eta < lnMoment(plan, b, second) - second * eta) {
        high = second;
      } else {
        low = first;
      }
    }
    double t = (low + high) / 2;
    return t * eta - lnMoment(plan, b, t);
  }

  /** ln E e^(t KL(p || q)). */
  private double lnMoment(PlanningModel plan, double b, double t) {
    double total = b + plan.shares().size() * pair.a();
    double sum = logGamma(total) - logGamma(total - t);
    for (double p : plan.shares()) {
      if (p > 0) {
        double u = b * p + pair.a();
        sum += t * p * StrictMath.log(p) + logGamma(u - t * p) - logGamma(u);
      }
    }
    return sum;
  }

  /** The least N at which an exponent of b = r N is enough; it grows with b. */
  private OptionalDouble least(DoubleUnaryOperator exponentOfB) {
    return Bisection.doubling(
            1, MOST_RECORDS, n -> exponentOfB.applyAsDouble(pair.r() * n) < wanted())
        .map(found -> narrowed(found, exponentOfB))
        .map(OptionalDouble::of)
        .orElseGet(OptionalDouble::empty);
  }

  private double narrowed(Bisection found, DoubleUnaryOperator exponentOfB) {
    return found.narrowed(1e-9, n -> exponentOfB.applyAsDouble(pair.r() * n) < wanted()).high();
  }
}
