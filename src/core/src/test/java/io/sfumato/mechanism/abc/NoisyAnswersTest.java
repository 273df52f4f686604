// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.random.KeyedRandom;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NoisyAnswersTest {
  /** Against the sum over all x of (p - e^eps q)+. */
  @ParameterizedTest
  @CsvSource({"4, 1", "4, 3", "100, 7", "2500, 120", "0.5, 1"})
  void discreteProfileIsTheHockeyStickSum(double variance, int shift) {
    ShiftedDiscreteGaussian profile = new ShiftedDiscreteGaussian(variance, shift);
    int reach = (int) (30 * Math.sqrt(variance)) + shift + 5;
    double z = 0;
    for (int x = -reach; x <= reach; x++) {
      z += Math.exp(-x * x / (2 * variance));
    }
    for (double epsilon : new double[] {0, 0.2, 1, 3}) {
      double delta = 0;
      for (int x = -reach; x <= reach; x++) {
        double p = Math.exp(-x * (double) x / (2 * variance)) / z;
        double q = Math.exp(-(x - shift) * (double) (x - shift) / (2 * variance)) / z;
        delta += Math.max(0, p - Math.exp(epsilon) * q);
      }
      assertThat(profile.delta(epsilon))
          .isGreaterThanOrEqualTo(delta * (1 - 1e-9))
          .isCloseTo(delta, within(1e-9 * delta + 1e-30));
    }
  }

  /**
   * Theorem D against the discrete noise itself: its own loss distribution, composed, stays within
   * the Gaussian that it is charged as, and the grid costs next to nothing.
   */
  @ParameterizedTest
  @CsvSource({"1, 45.05", "4, 13.56"})
  void softWeightsNeedHardlyMoreNoiseThanTheAnalyticGaussian(String epsilon, double analytic) {
    double mu = GaussianBudget.mu(Epsilon.of(epsilon), Delta.of("1e-4"), Accountant.EXACT);
    SoftWeights soft = SoftWeights.of(mu, 200, 1, 1);
    assertThat(soft.scale()).isCloseTo(analytic, within(0.002 * analytic));
    double step = soft.distance(1);
    double variance = Math.pow(soft.scale() / step, 2);
    long moved = (long) Math.ceil(1 / step) + 1;
    double delta =
        PldAccountant.of(new ShiftedDiscreteGaussian(variance, moved), 200, Precision.FINEST)
            .delta(Double.parseDouble(epsilon), 1e-4);
    // The composition itself lies above the truth by its grid.
    assertThat(delta).isBetween(0.98e-4, 1e-4 * (1 + 1e-5));
  }

  @Test
  void softWeightsAreWholeNumbersAroundTheDistance() {
    SoftWeights soft = SoftWeights.of(mu(), 200, 0.002, 0.2);
    KeyedRandom random = KeyedRandom.ofPublicSeed("soft");
    int draws = 4000;
    double sum = 0;
    for (int i = 0; i < draws; i++) {
      double weight = soft.weight(soft.answer(0.3, Optional.empty()).draw(random).outcome());
      assertThat(weight).isPositive().isLessThanOrEqualTo(1);
      sum += weight;
    }
    // E exp(-(1.5 + noise)) = exp(-1.5 + s^2/2); within 12 standard errors (Chebyshev would do
    // less).
    double s = soft.scale() / 0.2;
    double expected = Math.exp(-1.5 + s * s / 2);
    double error = expected * Math.sqrt((Math.exp(s * s) - 1) / draws);
    assertThat(sum / draws).isCloseTo(expected, within(12 * error));
    assertThatThrownBy(() -> soft.answer(Double.NaN, Optional.empty()))
        .hasMessageContaining("finite");
  }

  /**
   * Noise of very many thresholds lies on a coarser grid: whoever asks, about however few records,
   * is answered, with no less noise than the budget wants and hardly more.
   */
  @Test
  void softWeightsTakeNoiseOfAnyWidth() {
    double mu = GaussianBudget.mu(Epsilon.of("0.5"), Delta.of("1e-6"), Accountant.EXACT) / 7.1;
    KeyedRandom random = KeyedRandom.ofPublicSeed("wide");
    for (double threshold : new double[] {0.05, 1e-3, 1e-6, 1e-12}) {
      for (double sensitivity : new double[] {1e-9, Math.sqrt(2), 20, 1e12}) {
        SoftWeights soft = SoftWeights.of(mu, 10_000, sensitivity, threshold);
        double wanted = GaussianBudget.sigma(mu, 10_000, sensitivity);
        assertThat(soft.scale()).isBetween(wanted, 1.4 * wanted);
        assertThat(soft.weight(soft.answer(sensitivity, Optional.empty()).draw(random).outcome()))
            .isBetween(0.0, 1.0);
        SparseVector sparse =
            SparseVector.plan(Epsilon.of("1"), 10, sensitivity, threshold, Threshold.KEPT);
        assertThat(sparse.scale() / (11 * sensitivity)).isBetween(1.0, 1.01);
        Optional<State> state = sparse.start(acceptances -> sparse.threshold(random).orElseThrow());
        assertThat(sparse.answer(sensitivity, state).draw(random).outcome()).isBetween(0L, 1L);
      }
    }
    assertThatThrownBy(() -> SoftWeights.of(1e-6, 1_000_000, 1, 0.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fewer candidates");
  }

  private static double mu() {
    return GaussianBudget.mu(Epsilon.of("4"), Delta.of("1e-4"), Accountant.EXACT);
  }

  @ParameterizedTest
  @EnumSource(Threshold.class)
  void sparseVectorStopsAfterItsAcceptances(Threshold mode) {
    SparseVector query = SparseVector.plan(Epsilon.of("10"), 3, 1e-4, 0.2, mode);
    KeyedRandom random = KeyedRandom.ofPublicSeed("sparse");
    LongFunction<NoisyThreshold> thresholds = accepted -> query.threshold(random).orElseThrow();
    Optional<State> state = query.start(thresholds);
    long first = state.orElseThrow().noisyThreshold();
    int accepted = 0;
    for (int i = 0; !query.isOver(state); i++) {
      long answer = query.answer(i % 2 == 0 ? 0.01 : 1.5, state).draw(random).outcome();
      assertThat(answer).as("far apart for so little noise").isEqualTo(i % 2 == 0 ? 1 : 0);
      accepted += answer;
      state = query.after(state, answer, thresholds);
    }
    assertThat(accepted).isEqualTo(3);
    assertThat(state.orElseThrow().noisyThreshold() == first).isEqualTo(mode == Threshold.KEPT);
    Optional<State> over = state;
    assertThatThrownBy(() -> query.answer(0, over)).hasMessageContaining("over");
    assertThat(
            new SparseVectorQueries(0.2, Epsilon.of("10"), 3, mode).charge().pure().orElseThrow())
        .isCloseTo(10, within(1e-12));
  }

  /** The grid's step enlarges b by less than a thousandth. */
  @Test
  void sparseVectorsNoiseIsThatOfThePlan() {
    SparseVector query = SparseVector.plan(Epsilon.of("1"), 10, 0.002, 0.2, Threshold.KEPT);
    assertThat(query.scale()).isBetween(0.022, 0.022 * 1.006);
  }

  /**
   * Exact output law of a short query under neighbours, by summing over thresholds: no log-ratio
   * exceeds epsilon. Tiny grid, so that the sums are short.
   */
  @ParameterizedTest
  @EnumSource(Threshold.class)
  void sparseVectorKeepsItsEpsilon(Threshold mode) {
    double epsilon = 1;
    int c = 2;
    double b = (mode == Threshold.REDRAWN ? 2 * c : c + 1) / epsilon; // sensitivity: one step
    int[] distances = {3, 1, 2, 0};
    for (int signs = 0; signs < 16; signs++) {
      int[] neighbour = distances.clone();
      for (int i = 0; i < 4; i++) {
        neighbour[i] += (signs >> i & 1) == 1 ? 1 : -1;
      }
      for (int answers = 0; answers < 16; answers++) {
        if (Integer.bitCount(answers) <= c) {
          double here = probability(distances, answers, c, b, mode);
          double there = probability(neighbour, answers, c, b, mode);
          if (here > 0) {
            assertThat(Math.abs(Math.log(here / there))).isLessThanOrEqualTo(epsilon + 1e-9);
          }
        }
      }
    }
  }

  /** P of a pattern of answers; after c acceptances the rest must be rejections (not asked). */
  private static double probability(int[] rho, int answers, int c, double b, Threshold mode) {
    double total = 0;
    int reach = 150;
    if (mode == Threshold.KEPT) {
      for (int t = -reach; t <= reach; t++) {
        double p = mass(t, b);
        int accepted = 0;
        for (int i = 0; i < rho.length && accepted < c; i++) {
          boolean yes = (answers >> i & 1) == 1;
          double below = cdf(1 + t - rho[i], 2 * b);
          p *= yes ? below : 1 - below;
          accepted += yes ? 1 : 0;
        }
        total += p;
      }
      return done(answers, c, rho.length) ? total : 0;
    }
    // Redrawn: independent segments, each ending with an acceptance.
    double product = 1;
    int at = 0;
    int accepted = 0;
    while (at < rho.length && accepted < c) {
      int end = at;
      while (end < rho.length && (answers >> end & 1) == 0) {
        end++;
      }
      double segment = 0;
      for (int t = -reach; t <= reach; t++) {
        double p = mass(t, b);
        for (int i = at; i < end; i++) {
          p *= 1 - cdf(1 + t - rho[i], 2 * b);
        }
        segment += end < rho.length ? p * cdf(1 + t - rho[end], 2 * b) : p;
      }
      product *= segment;
      accepted++;
      at = end + 1;
    }
    return done(answers, c, rho.length) ? product : 0;
  }

  private static boolean done(int answers, int c, int n) {
    int accepted = 0;
    for (int i = 0; i < n; i++) {
      if (accepted == c && (answers >> i & 1) == 1) {
        return false;
      }
      accepted += answers >> i & 1;
    }
    return true;
  }

  private static double mass(int x, double scale) {
    return Math.tanh(0.5 / scale) * Math.exp(-Math.abs(x) / scale);
  }

  private static double cdf(int x, double scale) {
    double q = Math.exp(-1 / scale);
    return x < 0 ? Math.pow(q, -x) / (1 + q) : 1 - Math.pow(q, x + 1.0) / (1 + q);
  }
}
