// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import io.sfumato.random.DiscreteGaussian;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import io.sfumato.random.LargeDiscreteGaussian;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each noise by its closed forms: what it costs, how far it reaches, which parameters it has. */
class NoiseFormsTest {
  private static final double CLOSE = 1e-12;

  private static Sensitivity moved(Shift... shifts) {
    return new Sensitivity(" moved", PrivacyUnit.USER, List.of(shifts));
  }

  private static GridSensitivity grid(int parts, long each, double l2) {
    return new GridSensitivity("moved", PrivacyUnit.USER, parts, each, l2);
  }

  /** Randomised response of x nats, at an order (Mironov 2017, Proposition 5). */
  private static double response(double x, double order) {
    double p = 1 / (1 + Math.exp(-x));
    double q = 1 - p;
    return Math.log(p * Math.pow(p / q, order - 1) + q * Math.pow(q / p, order - 1)) / (order - 1);
  }

  private static void assertUp(double found, double exact) {
    assertThat(found).isBetween(exact * (1 - 1e-15), exact * (1 + CLOSE));
  }

  /** sigma is 8: order times squared distance over twice the variance. */
  @Test
  void gaussianNoiseCostsItsDistance() {
    GaussianNoise noise = new GaussianNoise(1 << 16);
    PrivacyCost charge = noise.charge(moved(new Shift(3, 1), new Shift(2, 5)));
    for (double order : new double[] {1.5, 2, 64}) {
      assertUp(charge.curve().at(order), order * 29 / 128);
      assertUp(
          noise.divergence(order, new long[] {5, 1, 9}, new long[] {2, 5, 9}), order * 25 / 128);
    }
    assertThat(charge.mechanism()).isEqualTo("discrete-gaussian moved sigma^2=65536/2^10");
    assertThat(charge.unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(charge.profile()).as("proved for one replaced record alone").isEmpty();
    assertThat(noise.charge(Sensitivity.replaceOne()).profile()).isPresent();
    assertThat(noise.parameters()).isEqualTo(Map.of("sigma", 8.0));
    assertThat(noise.method()).isEqualTo("gaussian");
    assertThat(noise.continuousDeviation()).isEqualTo(8);
    assertThat(noise.halfWidth(1)).isEqualTo(16);
    assertThat(noise.halfWidth(4)).isEqualTo(32);
  }

  /** The scale is 4. */
  @Test
  void laplaceNoiseCostsItsDistance() {
    LaplaceNoise noise = new LaplaceNoise(1 << 18);
    PrivacyCost one = noise.charge(moved(new Shift(3, 1)));
    assertUp(one.pure().orElseThrow(), 0.75);
    assertThat(one.pure().orElseThrow()).as("rounded up").isGreaterThan(0.75);
    PrivacyCost two = noise.charge(moved(new Shift(3, 1), new Shift(1, 1)));
    assertUp(two.pure().orElseThrow(), 1);
    assertThat(two.profile().orElseThrow().delta(0.5))
        .isCloseTo(PrivacyProfile.pure(1).delta(0.5), within(CLOSE));
    PrivacyCost shared = noise.charge(moved(new Shift(2, 3)));
    assertUp(shared.pure().orElseThrow(), 0.5);
    assertThat(shared.profile()).as("they do not compose").isEmpty();
    for (double order : new double[] {1.5, 2, 64}) {
      assertUp(one.curve().at(order), response(0.75, order));
      assertUp(two.curve().at(order), Math.min(1, response(0.75, order) + response(0.25, order)));
      assertUp(shared.curve().at(order), Math.min(0.5, response(1.5, order) / 3));
      assertThat(noise.divergence(order, new long[] {5, 1, 4}, new long[] {2, 5, 4}))
          .isCloseTo(
              RenyiDivergences.laplace(order, 3, 4.0) + RenyiDivergences.laplace(order, -4, 4.0),
              within(CLOSE));
    }
    assertThat(two.mechanism()).isEqualTo("discrete-laplace moved 1/b=262144/2^20");
    assertThat(noise.charge(Sensitivity.replaceOne()).mechanism())
        .isEqualTo("discrete-laplace 1/b=262144/2^20");
  }

  @Test
  void laplaceNoiseReachesAsFarAsItSays() {
    LaplaceNoise noise = new LaplaceNoise(1 << 18);
    double all = 0;
    double squares = 0;
    for (int x = -400; x <= 400; x++) {
      all += Math.exp(-Math.abs(x) / 4.0);
      squares += x * x * Math.exp(-Math.abs(x) / 4.0);
    }
    assertThat(noise.deviation()).isCloseTo(Math.sqrt(squares / all), within(1e-9));
    assertThat(noise.continuousDeviation()).isCloseTo(4 * Math.sqrt(2), within(CLOSE));
    assertThat(noise.parameters()).isEqualTo(Map.of("scale", 4.0));
    assertThat(noise.method()).isEqualTo("laplace");
    for (double x : new double[] {0, 0.3, 2, 7}) {
      assertThat(LaplaceNoise.tail(x, 1)).isCloseTo(Math.exp(-x), within(CLOSE));
      assertThat(LaplaceNoise.tail(x, 2)).isCloseTo(Math.exp(-x) * (1 + x / 2), within(CLOSE));
      assertThat(LaplaceNoise.tail(x, 3))
          .isCloseTo(Math.exp(-x) * (1 + 5 * x / 8 + x * x / 8), within(CLOSE));
    }
    assertThat(noise.halfWidth(1)).isEqualTo(12);
    assertThat(noise.halfWidth(2)).isEqualTo(17);
  }

  /** Its variance less that which separates it from continuous noise (Theorem D). */
  @Test
  void gaussianNoiseOnAGridCostsABitMoreThanContinuousNoise() {
    GridGaussian noise = new GridGaussian(3, 10);
    PrivacyCost charge = noise.charge(grid(2, 5, 7));
    double mu = 7 / Math.sqrt(100 - 16);
    assertUp(TheoremD.mu(7, 100), mu);
    assertUp(charge.curve().at(2), mu * mu);
    assertThat(charge.profile().orElseThrow().delta(0.5))
        .isCloseTo(PrivacyProfile.gaussian(mu).delta(0.5), within(CLOSE));
    assertThat(charge.mechanism()).isEqualTo("discrete-gaussian moved sigma=10 of 2^-3");
    assertThat(noise.divergence(2, new long[] {3, 1}, new long[] {0, 5}))
        .isCloseTo(25 / 100.0, within(CLOSE));
    assertThat(noise.logDensity(5)).isCloseTo(-25 / 200.0, within(CLOSE));
    assertThat(noise.deviation()).isEqualTo(10);
    assertThat(noise.parameters()).isEqualTo(Map.of("sigma", 1.25));
    assertThat(noise.method()).isEqualTo("gaussian");
    assertThat(noise.summed(4)).isEqualTo(new GridGaussian(3, 20));
    assertThat(noise.summed(2)).isEqualTo(new GridGaussian(3, 15));
  }

  /** The same law by its variance, of which steps are finer. */
  @Test
  void gaussianNoiseOfAFineVarianceCostsWhatItsDeviationDoes() {
    FineGridGaussian noise = new FineGridGaussian(3, 100 << 10);
    GridGaussian same = new GridGaussian(3, 10);
    PrivacyCost charge = noise.charge(grid(2, 5, 7));
    assertThat(charge.curve().at(2)).isEqualTo(same.charge(grid(2, 5, 7)).curve().at(2));
    assertThat(charge.mechanism()).isEqualTo("discrete-gaussian moved sigma^2=102400/2^10 of 2^-3");
    assertThat(noise.divergence(2, new long[] {3, 1}, new long[] {0, 5}))
        .isCloseTo(25 / 100.0, within(CLOSE));
    assertThat(noise.logDensity(5)).isCloseTo(same.logDensity(5), within(CLOSE));
    assertThat(noise.deviation()).isCloseTo(10, within(CLOSE));
    assertThat(noise.parameters()).isEqualTo(Map.of("sigma", 1.25));
    assertThat(noise.method()).isEqualTo("gaussian");
    assertThat(noise.tail(20, 1, -2)).isCloseTo(same.tail(20, 1, -2), within(CLOSE));
    assertThat(noise.summed(4)).isEqualTo(new FineGridGaussian(3, 400 << 10));
    assertThat(noise.steps()).isEqualTo(100 << 10);
    assertThatThrownBy(() -> new FineGridGaussian(3, (32 << 10) - 1))
        .hasMessageContaining("above 32");
    assertThat(new FineGridGaussian(3, (32 << 10) + 1).deviation()).isGreaterThan(5.6);
    assertThatThrownBy(() -> new FineGridGaussian(41, 100 << 10)).hasMessageContaining("digits");
  }

  /** A step for each noise, since the law is that of whole numbers. */
  @Test
  void tailsOnAGridAreThoseOfContinuousNoiseAStepFurtherIn() {
    GridGaussian gaussian = new GridGaussian(0, 10);
    assertThat(gaussian.tail(20, 1, -2))
        .isCloseTo(2 * Math.exp(StandardNormal.lnPhi(-17 / (10 * Math.sqrt(5)))), within(CLOSE));
    assertThat(gaussian.tail(3, 1, -2)).isCloseTo(1, within(CLOSE));
    GridLaplace laplace = new GridLaplace(0, 10);
    assertThat(laplace.tail(20, 1)).isCloseTo(Math.exp(-1.9), within(CLOSE));
    assertThat(laplace.tail(20, 2)).isCloseTo(Math.exp(-0.9), within(CLOSE));
    assertThat(laplace.tail(1, 1)).isCloseTo(1, within(CLOSE));
    assertThat(laplace.tail(0.5, 1)).isCloseTo(1, within(CLOSE));
  }

  @Test
  void laplaceNoiseOnAGridCostsItsDistance() {
    GridLaplace noise = new GridLaplace(3, 12);
    PrivacyCost one = noise.charge(grid(1, 7, 7));
    // 7/12 lies between two doubles, of which it is the upper one.
    assertThat(one.pure().orElseThrow()).isGreaterThanOrEqualTo(7 / 12.0);
    assertUp(one.pure().orElseThrow(), 7 / 12.0);
    assertThat(noise.charge(grid(1, 6, 7)).pure()).hasValue(0.5);
    PrivacyCost three = noise.charge(grid(3, 6, 9));
    assertUp(three.pure().orElseThrow(), 1.5);
    for (double order : new double[] {1.5, 2, 64}) {
      assertUp(three.curve().at(order), Math.min(1.5, 3 * response(0.5, order)));
    }
    assertThat(one.mechanism()).isEqualTo("discrete-laplace moved b=12 of 2^-3");
    assertThat(noise.logDensity(-6)).isEqualTo(-0.5);
    assertThat(noise.parameters()).isEqualTo(Map.of("scale", 1.5));
    assertThat(noise.method()).isEqualTo("laplace");
    double all = 0;
    double squares = 0;
    for (int x = -600; x <= 600; x++) {
      all += Math.exp(-Math.abs(x) / 12.0);
      squares += x * x * Math.exp(-Math.abs(x) / 12.0);
    }
    assertThat(noise.deviation()).isCloseTo(Math.sqrt(squares / all), within(1e-9));
    assertThat(noise.summed(5).tail(30, 1)).isGreaterThan(noise.tail(30, 1));
    for (long d : new long[] {0, 1, 2, 30}) {
      assertThat(noise.divergence(3, new long[] {d, 4}, new long[] {0, 4}))
          .isCloseTo(RenyiDivergences.laplace(3, d, 12.0), within(1e-10));
    }
  }

  /** What n randomised responses of x nats lose beyond epsilon, answer by answer. */
  private static double delta(int n, double x, double epsilon) {
    double p = 1 / (1 + Math.exp(-x));
    double delta = 0;
    for (int answers = 0; answers < 1 << n; answers++) {
      int lies = Integer.bitCount(answers);
      double mine = Math.pow(p, n - lies) * Math.pow(1 - p, lies);
      double other = Math.pow(p, lies) * Math.pow(1 - p, n - lies);
      delta += Math.max(0, mine - Math.exp(epsilon) * other);
    }
    return delta;
  }

  private static void assertResponses(PrivacyProfile profile, int n, double x) {
    for (double epsilon : new double[] {0, 0.25, 0.5, 0.9, n * x - 0.01}) {
      double exact = delta(n, x, epsilon);
      assertThat(profile.delta(epsilon)).isCloseTo(exact, within(CLOSE * exact));
    }
    assertThat(profile.delta(0)).as("rounded up").isGreaterThan(delta(n, x, 0));
    assertThat(profile.delta(n * x)).isZero();
    assertThat(profile.delta(n * x + 1)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 7})
  void partsSideBySideAreResponsesSideBySide(int parts) {
    PrivacyCost charge = new GridLaplace(0, 2).charge(grid(parts, 1, 1));
    assertResponses(charge.profile().orElseThrow(), parts, 0.5);
  }

  /** Two counts by 1, each a response of its own. */
  @Test
  void aReplacedRecordIsTwoResponses() {
    PrivacyCost charge = new LaplaceNoise(1 << 19).charge(Sensitivity.replaceOne());
    assertThat(charge.pure()).hasValue(1);
    assertThat(charge.curve().at(2)).isCloseTo(2 * response(0.5, 2), within(CLOSE));
    assertResponses(charge.profile().orElseThrow(), 2, 0.5);
  }

  @Test
  void drawsAreThoseOfTheExactSamplers() {
    assertSame(new GaussianNoise(5000).sampler(), new DiscreteGaussian(5000)::sample);
    assertSame(new LaplaceNoise(5000).sampler(), new DiscreteLaplace(1 << 20, 5000)::sample);
    assertSame(new GridGaussian(20, 5000).sampler(), new LargeDiscreteGaussian(5000)::sample);
    assertSame(new GridLaplace(20, 5000).sampler(), new DiscreteLaplace(5000, 1)::sample);
  }

  private static void assertSame(
      ToLongFunction<KeyedRandom> noise, ToLongFunction<KeyedRandom> exact) {
    KeyedRandom one = KeyedRandom.ofPublicSeed("same");
    KeyedRandom other = KeyedRandom.ofPublicSeed("same");
    for (int i = 0; i < 20; i++) {
      assertThat(noise.applyAsLong(one)).isEqualTo(exact.applyAsLong(other));
    }
  }

  @Test
  void parametersHaveTheirRanges() {
    assertThatCode(() -> new GridGaussian(0, 6)).doesNotThrowAnyException();
    assertThatCode(() -> new GridGaussian(40, 1L << 56)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new GridGaussian(20, (1L << 56) + 1)).hasMessageContaining("2^56");
    assertThatCode(() -> new GridLaplace(40, 1)).doesNotThrowAnyException();
    assertThatCode(() -> new GridLaplace(0, 1L << 40)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new GridLaplace(20, (1L << 40) + 1)).hasMessageContaining("2^40");
    assertThatThrownBy(() -> new GridLaplace(-1, 1)).hasMessageContaining("40 binary digits");
    assertThatThrownBy(() -> new GridGaussian(41, 6)).hasMessageContaining("40 binary digits");
  }

  /** Largest sums that doubles hold exactly, and what is no distance. */
  @Test
  void distancesHaveTheirRanges() {
    long largest = GridSensitivity.LARGEST;
    assertThat(grid(1, largest, 1).l1()).isEqualTo(largest);
    assertThat(grid(3, largest / 3, 1).l1()).isEqualTo(largest / 3 * 3);
    assertThat(grid(1, 1, Double.MIN_VALUE).l1()).isEqualTo(1);
    assertThatThrownBy(() -> grid(1, largest + 1, 1)).hasMessageContaining("2^53");
    assertThatThrownBy(() -> grid(3, largest / 3 + 1, 1)).hasMessageContaining("2^53");
    assertThatThrownBy(() -> grid(1, 0, 1)).hasMessageContaining("2^53");
    assertThatThrownBy(() -> new GridSensitivity(" ", PrivacyUnit.USER, 1, 1, 1))
        .hasMessageContaining("names its neighbours");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "NaN", "Infinity"})
  void aDistanceIsAboveZeroAndFinite(double l2) {
    assertThatThrownBy(() -> grid(1, 1, l2)).hasMessageContaining("was " + l2);
  }
}
