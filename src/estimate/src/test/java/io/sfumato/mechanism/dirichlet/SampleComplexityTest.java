// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.dirichlet.SampleComplexity;
import io.sfumato.estimate.dirichlet.TailPromise;
import io.sfumato.property.DoubleRange;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.random.GammaSampler;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paper's N_f, and what is less, against Theorem 2 and against draws. */
class SampleComplexityTest {
  private static final PlanningModel PAPER =
      PlanningModel.ofWeights(new double[] {119, 74, 618, 272, 13, 187}, 1283);
  private static final DirichletParameters PAIR = DirichletParameters.rounded(0.427, 6.26);

  /** N_f and Theorem 2's eta are inverse to each other. */
  @Property
  void recordsByTheorem2AreThoseAtWhichItPromisesEta(
      @ForAll @IntRange(min = 2, max = 50) int categories,
      @ForAll @DoubleRange(min = 0.01, max = 5) double r,
      @ForAll @DoubleRange(min = 0.5, max = 50) double a,
      @ForAll @DoubleRange(min = 0.01, max = 3) double eta) {
    DirichletParameters pair = DirichletParameters.rounded(r, a);
    SampleComplexity needed = new SampleComplexity(pair, categories, eta, 0.95);
    double n = needed.byTheorem2();
    assertThat(TailPromise.of(pair, n, categories, 0.95).orElseThrow())
        .isCloseTo(eta, within(1e-6 * eta));
    assertThat(needed.byItsProof().orElseThrow())
        .as("the last estimates of the proof only lose")
        .isLessThanOrEqualTo(n * (1 + 1e-6));
  }

  /** Equation 22 of the paper holds where its least N is, with W found by halving. */
  @ParameterizedTest
  @CsvSource({"2, 0.3", "6, 0.05", "50, 2"})
  void recordsByTheProofAreThoseAtWhichItsEquationHolds(int categories, double eta) {
    SampleComplexity needed = new SampleComplexity(PAIR, categories, eta, 0.9);
    double b = PAIR.r() * needed.byItsProof().orElseThrow();
    double product = b * Math.exp(1 + eta) / (b + categories * PAIR.a());
    double low = 1;
    double high = 10;
    for (int i = 0; i < 60; i++) {
      double w = (low + high) / 2;
      if (w * Math.exp(w) < product) {
        low = w;
      } else {
        high = w;
      }
    }
    assertThat(b * (low - 1) * (low - 1) / low).isCloseTo(Math.log(10), within(1e-6));
  }

  /** Chernoff's bound is what it should be where a plan's least N is, by a search of all t. */
  @ParameterizedTest
  @CsvSource({"0.05", "0.5"})
  void recordsOfAPlanAreThoseAtWhichChernoffsBoundIsEnough(double eta) {
    PlanningModel plan = PlanningModel.ofWeights(new double[] {1, 0, 5, 4}, 10);
    double b = PAIR.r() * new SampleComplexity(PAIR, 4, eta, 0.9).ofPlan(plan).orElseThrow();
    double best = 0;
    for (int step = 1; step < 10_000; step++) {
      // An argument of each logarithm of a gamma function is above 0 up to b + 2 a.
      double t = (b + 2 * PAIR.a()) * step / 10_000;
      double moment = Gamma.logGamma(b + 4 * PAIR.a()) - Gamma.logGamma(b + 4 * PAIR.a() - t);
      for (double p : List.of(0.1, 0.5, 0.4)) {
        double shape = b * p + PAIR.a();
        moment += t * p * Math.log(p) + Gamma.logGamma(shape - t * p) - Gamma.logGamma(shape);
      }
      best = Math.max(best, t * eta - moment);
    }
    assertThat(best).isCloseTo(Math.log(10), within(1e-5));
  }

  /** How often KL is above eta, of so many draws with a public seed. */
  private static double exceeds(List<Double> shares, double records, double eta, int draws) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("sample complexity");
    int above = 0;
    for (int draw = 0; draw < draws; draw++) {
      double[] y =
          shares.stream()
              .mapToDouble(p -> GammaSampler.sample(random, PAIR.r() * records * p + PAIR.a()))
              .toArray();
      double sum = Arrays.stream(y).sum();
      double kl = 0;
      for (int i = 0; i < y.length; i++) {
        double p = shares.get(i);
        kl += p > 0 ? p * Math.log(p * sum / y[i]) : 0;
      }
      above += kl > eta ? 1 : 0;
    }
    return above / (double) draws;
  }

  /** At 95%: each bound keeps its promise; the plan's is within a small factor of the truth. */
  @ParameterizedTest
  @CsvSource({"0.05, 1.6", "0.1, 1.6", "0.5, 4"})
  void promisesAreKept(double eta, double factor) {
    SampleComplexity needed = new SampleComplexity(PAIR, 6, eta, 0.95);
    int draws = 20_000;
    double slack = Math.sqrt(Math.log(1e9) / (2 * draws)); // Hoeffding at 1e-9
    double planned = needed.ofPlan(PAPER).orElseThrow();
    assertThat(exceeds(PAPER.shares(), planned, eta, draws)).isLessThanOrEqualTo(0.05 + slack);
    assertThat(exceeds(PAPER.shares(), planned / factor, eta, draws)).isGreaterThan(0.05 + slack);
    // Whatever the histogram is: all in one category is the worst of these.
    double any = needed.byItsProof().orElseThrow();
    for (List<Double> shares :
        List.of(List.of(1.0, 0.0, 0.0, 0.0, 0.0, 0.0), PlanningModel.zipf(6, 1).shares())) {
      assertThat(exceeds(shares, any, eta, draws)).isLessThanOrEqualTo(0.05 + slack);
    }
    assertThat(planned).isLessThan(any).isLessThan(needed.byTheorem2());
  }

  /**
   * Theorem 2 says "for any alpha > 0", and its proof needs 1/2: with 1,000 equal shares, alpha
   * 0.001 and b = 100 it promises KL above 0.5 in at most 0.41 of draws. That 50 draws of 50 exceed
   * it would have probability 1e-19.
   */
  @Test
  void theorem2FailsForASmallAlpha() {
    int d = 1000;
    double alpha = 0.001;
    double b = 100;
    double eta = 0.5;
    assertThat(b).isGreaterThan(d * alpha / Math.expm1(eta / 2));
    assertThat(Math.exp(-b * eta * eta / (2 * (2 + eta) * (4 + 3 * eta)))).isLessThan(0.41);
    KeyedRandom random = KeyedRandom.ofPublicSeed("small alpha");
    double shape = b / d + alpha;
    for (int draw = 0; draw < 50; draw++) {
      double[] ln = new double[d];
      for (int i = 0; i < d; i++) { // ln of a gamma variable, which itself may be below all doubles
        ln[i] =
            Math.log(GammaSampler.sample(random, shape + 1))
                + Math.log(random.nextOpenDouble()) / shape;
      }
      double largest = Arrays.stream(ln).max().orElseThrow();
      double lnSum = largest + Math.log(Arrays.stream(ln).map(x -> Math.exp(x - largest)).sum());
      double kl = Arrays.stream(ln).map(x -> (-Math.log(d) - x + lnSum) / d).sum();
      assertThat(kl).isGreaterThan(eta);
    }
  }

  @Test
  void rangesAreTold() {
    assertThatThrownBy(() -> new SampleComplexity(PAIR, 6, 0, 0.95)).hasMessageContaining("eta");
    assertThatThrownBy(() -> new SampleComplexity(PAIR, 6, 1, 1)).hasMessageContaining("(0, 1)");
    assertThatThrownBy(() -> new SampleComplexity(PAIR, 1, 1, 0.5))
        .hasMessageContaining("at least 2");
  }
}
