// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Why a share fixes its order. A first release leaks a little, rarely. Who sees the leak continues
 * with a release tuned to order 128, everybody else with one tuned to order 6. In either branch
 * some order shows (4, 1e-6) for what was spent; the truth is (4, 2.0e-6).
 */
class AdaptiveOrderTest {
  private static final double EPSILON = 4;
  private static final double DELTA = 1e-6;
  private static final double FIRST_LOSS = 0.5;

  /** A pair of laws on two outcomes: P = (p, 1 - p), Q = (q, 1 - q). */
  private record Leak(double p, double q) {
    static Leak of(double p, double loss) {
      return new Leak(p, p * Math.exp(-loss));
    }

    RenyiCurve curve() {
      return RenyiCurve.of(
          order -> Math.max(divergence(order, p, q), divergence(order, q, p)) * (1 + 1e-12));
    }

    private static double divergence(double order, double p, double q) {
      double x = order * Math.log(p) + (1 - order) * Math.log(q);
      double y = order * Math.log1p(-p) + (1 - order) * Math.log1p(-q);
      double ln = Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)));
      return Math.max(0, ln / (order - 1));
    }

    double p(int outcome) {
      return outcome == 0 ? p : 1 - p;
    }

    double q(int outcome) {
      return outcome == 0 ? q : 1 - q;
    }
  }

  private final Leak first = firstLeak();

  /** Loud enough that, followed by a sure loss, order 128 is just met. */
  private static Leak firstLeak() {
    // Extremal at order L: a loss of EPSILON + ln(L/(L-1)) with probability near delta L.
    return Leak.of(128 * DELTA, FIRST_LOSS);
  }

  /** The release after the leak: the largest sure loss with which some order shows (4, 1e-6). */
  private Leak afterLeak() {
    double low = 0;
    double high = 10;
    for (int i = 0; i < 60; i++) {
      double loss = (low + high) / 2;
      if (shows(first, randomisedResponse(loss))) {
        low = loss;
      } else {
        high = loss;
      }
    }
    return randomisedResponse(low);
  }

  private static Leak randomisedResponse(double loss) {
    double truth = 1 / (1 + Math.exp(-loss));
    return Leak.of(truth, loss);
  }

  /** The release otherwise: a loss of 4 + ln(6/5), as likely as some order lets it be. */
  private Leak otherwise() {
    double loss = EPSILON + Math.log(6.0 / 5);
    double low = 0;
    double high = 1e-3;
    for (int i = 0; i < 80; i++) {
      double p = (low + high) / 2;
      if (shows(first, Leak.of(p, loss))) {
        low = p;
      } else {
        high = p;
      }
    }
    return Leak.of(low, loss);
  }

  /** The adaptive minimum: some order still fits. */
  private static boolean shows(Leak one, Leak two) {
    return Conversion.epsilon(one.curve().plus(1, two.curve()), DELTA) <= EPSILON;
  }

  private double trueDelta(Leak afterLeak, Leak otherwise) {
    double delta = 0;
    for (int i = 0; i < 2; i++) {
      Leak second = i == 0 ? afterLeak : otherwise;
      for (int k = 0; k < 2; k++) {
        double p = first.p(i) * second.p(k);
        double q = first.q(i) * second.q(k);
        delta += Math.max(0, p - Math.exp(EPSILON) * q);
      }
    }
    return delta;
  }

  @Test
  void minimumOverOrdersPerOutcomeBreaksItsClaim() {
    Leak loud = afterLeak();
    Leak quiet = otherwise();
    assertThat(shows(first, loud)).isTrue();
    assertThat(shows(first, quiet)).isTrue();
    double claimedAt = Conversion.bestOrder(first.curve().plus(1, loud.curve()), DELTA);
    double otherAt = Conversion.bestOrder(first.curve().plus(1, quiet.curve()), DELTA);
    assertThat(claimedAt).isEqualTo(128);
    assertThat(otherAt).isEqualTo(6);
    assertThat(trueDelta(loud, quiet)).isGreaterThan(1.9 * DELTA);
  }

  /** At every single order, at least one of the two branches is refused. */
  @Test
  void shareWithOneOrderRefusesOneOfTheBranches() {
    RenyiCurve leak = first.curve();
    RenyiCurve loud = afterLeak().curve();
    RenyiCurve quiet = otherwise().curve();
    for (int i = 0; i < RenyiOrders.size(); i++) {
      Epsilon epsilon = Epsilon.of("4");
      Delta delta = Delta.of("1e-6");
      BudgetShare share =
          new BudgetShare(
              "s", epsilon, delta, PrivacyFilter.RenyiFilter.of(epsilon, delta, RenyiOrders.at(i)));
      assertThat(admits(share, leak, loud) && admits(share, leak, quiet))
          .as("order %s", RenyiOrders.at(i))
          .isFalse();
    }
  }

  private static boolean admits(BudgetShare share, RenyiCurve one, RenyiCurve two) {
    Map<Integer, Long> costs =
        Map.of(
            0, share.cost(PrivacyCost.renyi("one", PrivacyUnit.RECORD, one)),
            1, share.cost(PrivacyCost.renyi("two", PrivacyUnit.RECORD, two)));
    return share.admits(Ledger.EMPTY, costs, 0) && share.admits(Ledger.EMPTY.plus(0), costs, 1);
  }
}
