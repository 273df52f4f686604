// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.CalibratedNoise;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.Numerical;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Noise finer than records: what it costs, how far it reaches, the least that is enough. */
@Numerical
class GridNoiseTest {
  private static final long RECORD = 1L << GridNoise.DIGITS;

  private static GridSensitivity sensitivity(int parts, long each) {
    return new GridSensitivity("test", PrivacyUnit.USER, parts, each, each * Math.sqrt(parts));
  }

  private static CalibrationTarget request(String epsilon, String delta, long horizon) {
    return new CalibrationTarget("mean", Epsilon.of(epsilon), Delta.of(delta), horizon);
  }

  private static double[] ones(int count) {
    double[] weights = new double[count];
    Arrays.fill(weights, 1);
    return weights;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "0.5, 1", "0.1, 1", "0.3, 3", "8, 2", "0.7, 52", "1e-5, 1", "1000000, 1"})
  void shouldTakeExactlyTheScaleOfOnePureEpsilon(String epsilon, long records) {
    GridSensitivity moved = sensitivity(1, records * RECORD);
    CalibratedNoise<GridNoise> least =
        NoiseCalibration.laplace(request(epsilon, "1e-6", 1), moved, 20).orElseThrow();
    long scale =
        new BigDecimal(records * RECORD)
            .divide(new BigDecimal(epsilon), 0, RoundingMode.CEILING)
            .longValueExact();
    assertThat(least.noise()).isEqualTo(new GridLaplace(20, scale));
    PrivacyCost charge = least.noise().charge(moved);
    BudgetShare share =
        new BudgetShare("mean", Epsilon.of(epsilon), Delta.of("1e-6"), least.filter());
    assertThat(share.affords(charge)).isEqualTo(1);
    // Exactly rounded up: the loss itself is at most epsilon.
    assertThat(new BigDecimal(charge.pure().orElseThrow()).multiply(BigDecimal.valueOf(scale)))
        .isGreaterThanOrEqualTo(BigDecimal.valueOf(records * RECORD));
    assertThat(Math.nextDown(charge.pure().orElseThrow()))
        .isLessThanOrEqualTo(Double.parseDouble(epsilon));
  }

  /** Huge epsilons are pure sums too: no loss distribution reaches as far. */
  @ParameterizedTest
  @CsvSource({"1000000, 2, 1", "1000000, 2, 2", "100000, 50, 3", "1000, 4, 2"})
  void shouldAddUpHugePureEpsilons(String epsilon, long horizon, int parts) {
    CalibratedNoise<GridNoise> least =
        NoiseCalibration.laplace(request(epsilon, "1e-6", horizon), sensitivity(parts, RECORD), 20)
            .orElseThrow();
    double scale = parts * RECORD * horizon / Double.parseDouble(epsilon);
    assertThat((double) least.noise().steps()).isEqualTo(Math.ceil(scale));
  }

  @Test
  void shouldFindNothingWhereNoiseWouldHaveToBeTooLarge() {
    GridSensitivity moved = sensitivity(1, RECORD);
    assertThat(NoiseCalibration.pureLaplace(Epsilon.of("1e-7"), 10, moved, 20)).isEmpty();
    assertThat(NoiseCalibration.gaussian(request("1e-6", "1e-9", 1_000_000_000_000L), moved, 20))
        .isEmpty();
  }

  /** Whatever way releases are counted, all of them fit, and not much less noise would do. */
  @ParameterizedTest
  @CsvSource({"1, 1e-6, 4, 1", "1, 1e-6, 365, 1", "2, 1e-9, 52, 3", "0.5, 1e-6, 1000000, 1"})
  void shouldTakeTheLeastLaplaceNoiseThatManyReleasesAfford(
      String epsilon, String delta, long horizon, int parts) {
    GridSensitivity moved = sensitivity(parts, RECORD);
    CalibrationTarget request = request(epsilon, delta, horizon);
    CalibratedNoise<GridNoise> least = NoiseCalibration.laplace(request, moved, 20).orElseThrow();
    PrivacyCost charge = least.noise().charge(moved);
    BudgetShare share = new BudgetShare("mean", request.epsilon(), request.delta(), least.filter());
    assertThat(share.affords(charge)).isGreaterThanOrEqualTo(horizon);
    double bound = Double.parseDouble(epsilon);
    double pure = horizon * charge.pure().orElseThrow();
    double composed =
        PldAccountant.of(charge.profile().orElseThrow(), horizon, Precision.FINEST)
            .epsilon(Double.parseDouble(delta))
            .value();
    assertThat(Math.min(pure, composed)).isBetween(0.9 * bound, bound * (1 + 1e-3));
    if (least.filter() instanceof PrivacyFilter.FixedCountFilter) {
      assertThat(pure).isGreaterThan(1.01 * bound);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1e-6, 1, 1", "0.1, 1e-9, 52, 3", "8, 1e-5, 12, 10"})
  void shouldTakeTheLeastGaussianNoise(String epsilon, String delta, long horizon, int records) {
    GridSensitivity moved = sensitivity(1, records * RECORD);
    CalibratedNoise<GridNoise> least =
        NoiseCalibration.gaussian(request(epsilon, delta, horizon), moved, 20).orElseThrow();
    double mu = GaussianBudget.mu(Epsilon.of(epsilon), Delta.of(delta), Accountant.EXACT);
    double together =
        TheoremD.mu(moved.l2(), Math.pow(least.noise().deviation(), 2)) * Math.sqrt(horizon);
    assertThat(together).isBetween(mu * (1 - 1e-5), mu);
    assertThat(least.noise().charge(moved).profile().orElseThrow().delta(0.5)).isGreaterThan(0);
  }

  /** sigma(1, 1e-6) = 4.225 records. */
  @Test
  void shouldMatchTheAnalyticGaussian() {
    GridNoise noise =
        NoiseCalibration.gaussian(request("1", "1e-6", 1), sensitivity(1, RECORD), 20)
            .orElseThrow()
            .noise();
    assertThat(noise.parameters().get("sigma")).isCloseTo(4.2247, within(1e-4));
    GridNoise finer =
        NoiseCalibration.gaussian(request("1", "1e-6", 1), sensitivity(1, 1L << 40), 40)
            .orElseThrow()
            .noise();
    assertThat(finer.parameters().get("sigma")).isCloseTo(4.2247, within(1e-4));
  }

  /** Against the series of every outcome, and never above the charge. */
  @ParameterizedTest
  @CsvSource({"3, 1", "3, 7", "50, 20", "1000, 1", "700, 5000"})
  void shouldLoseWhatTheLawsSay(long scale, long moved) {
    GridLaplace noise = new GridLaplace(20, scale);
    PrivacyCost charge = noise.charge(sensitivity(1, moved));
    for (int i = 0; i < RenyiOrders.size(); i++) {
      double order = RenyiOrders.at(i);
      double lost = noise.divergence(order, new long[] {5, 1}, new long[] {5 + moved, 1});
      double series = RenyiDivergences.laplace(order, moved, (double) scale);
      assertThat(lost).isCloseTo(series, within(1e-12 + 1e-9 * series));
      assertThat(lost).isLessThanOrEqualTo(charge.curve().at(order));
    }
  }

  /** Parts side by side, and what one part is split into, lose no more than is charged. */
  @Test
  void shouldCoverAnyNumberOfCoordinatesThatAPartMoves() {
    GridLaplace noise = new GridLaplace(20, 900);
    PrivacyCost charge = noise.charge(sensitivity(3, 1000));
    assertThat(charge.pure().orElseThrow()).isCloseTo(3000 / 900.0, within(1e-12));
    long[] zero = new long[6];
    for (int split = 0; split <= 1000; split += 50) {
      long[] moved = {split, 1000 - split, -split, 1000 - split, 1000, 0};
      for (double order : new double[] {1.1, 2, 8, 64, 1024}) {
        assertThat(noise.divergence(order, zero, moved))
            .isLessThanOrEqualTo(charge.curve().at(order));
      }
    }
    // The profile is that of three randomised responses: composed by the accountant likewise.
    PrivacyCost one = noise.charge(sensitivity(1, 1000));
    PldAccountant three = PldAccountant.of(one.profile().orElseThrow(), 3, Precision.FINEST);
    for (double epsilon : new double[] {0, 0.3, 1, 1.2, 2.5, 3.3}) {
      double exact = charge.profile().orElseThrow().delta(epsilon);
      assertThat(three.delta(epsilon, 1e-9)).isBetween(exact * (1 - 1e-9), exact * 1.001 + 1e-9);
    }
    assertThat(charge.profile().orElseThrow().delta(3.34)).isZero();
  }

  /** The law of a sum against its integral over one of its variables, by Simpson's rule. */
  @ParameterizedTest
  @CsvSource({
    "1, 0.3",
    "1, 0.9",
    "1, 0.95",
    "1, 0.9999999",
    "1, 1",
    "1, 0.001",
    "1, 1e-9",
    "0.4, 0.41",
    "1, 0.94868"
  })
  void shouldKnowTheLawOfTwoWeightedNoises(double v, double w) {
    for (double x : new double[] {0.01, 0.5, 2, 4, 9}) {
      double expected =
          convolved(y -> y <= 0 ? 1 - Math.exp(y / v) / 2 : Math.exp(-y / v) / 2, x, w);
      assertThat(WeightedLaplaceSum.tail(x, v, -w)).isCloseTo(2 * expected, within(1e-10));
      assertThat(WeightedLaplaceSum.tail(x, 0, w, v)).isCloseTo(2 * expected, within(1e-10));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.3, 0.2",
    "1, 1, 1",
    "1, 1, 0.5",
    "1, 0.5, 0.5",
    "1, 0.97, 0.95",
    "1, 0.98, 0.2",
    "1, 0.2, 0.199",
    "1, 0.999999, 0.999998",
    "0.25, 0.25, 0.2500001",
    "1, 0.5, 1e-7",
    "1, 0.96, 0.93"
  })
  void shouldKnowTheLawOfThreeWeightedNoises(double u, double v, double w) {
    for (double x : new double[] {0.01, 0.5, 2, 4, 9}) {
      double expected =
          convolved(
              y ->
                  y >= 0
                      ? WeightedLaplaceSum.tail(y, u, v) / 2
                      : 1 - WeightedLaplaceSum.tail(-y, u, v) / 2,
              x,
              w);
      assertThat(WeightedLaplaceSum.tail(x, u, v, w)).isCloseTo(2 * expected, within(1e-9));
      assertThat(WeightedLaplaceSum.tail(x, w, -u, v)).isCloseTo(2 * expected, within(1e-9));
    }
  }

  /** P[Y + w L > x] = integral over u in (0, 1) with w L = +- w ln u: halves of both signs. */
  private static double convolved(DoubleUnaryOperator tail, double x, double w) {
    // Kinks of the tail lie at y = 0 only: split there, in the variable l = |L|.
    return (half(tail, x, w, 1) + half(tail, x, w, -1)) / 2;
  }

  private static double half(DoubleUnaryOperator tail, double x, double w, int sign) {
    double kink = sign > 0 ? Math.min(60, x / w) : 60;
    return simpson(l -> Math.exp(-l) * tail.applyAsDouble(x - sign * w * l), 0, kink)
        + simpson(l -> Math.exp(-l) * tail.applyAsDouble(x - sign * w * l), kink, 60);
  }

  private static double simpson(DoubleUnaryOperator f, double from, double to) {
    int n = 40_000;
    double h = (to - from) / n;
    double sum = f.applyAsDouble(from) + f.applyAsDouble(to);
    for (int i = 1; i < n; i++) {
      sum += (i % 2 == 0 ? 2 : 4) * f.applyAsDouble(from + i * h);
    }
    return sum * h / 3;
  }

  /** 200,000 sums; Hoeffding: 0.0074 fails by chance below 1e-9. */
  @ParameterizedTest
  @CsvSource({"1, 0, 0", "0.5, -0.5, 0", "1, -0.2, 0.7", "0.3, 0.31, -0.29"})
  void shouldReachAsFarAsTheySay(double u, double v, double w) {
    for (GridNoise noise :
        new GridNoise[] {
          new GridLaplace(20, 1),
          new GridLaplace(20, RECORD),
          new GridGaussian(20, 6),
          new GridGaussian(20, 5 * RECORD)
        }) {
      KeyedRandom random = KeyedRandom.ofPublicSeed("reach " + noise);
      ToLongFunction<KeyedRandom> sampler = noise.sampler();
      double half = noise.halfWidth(0.95, u, v, w);
      int draws = 200_000;
      int inside = 0;
      for (int i = 0; i < draws; i++) {
        double sum =
            u * sampler.applyAsLong(random)
                + v * sampler.applyAsLong(random)
                + w * sampler.applyAsLong(random);
        inside += Math.abs(sum) <= half ? 1 : 0;
      }
      assertThat(inside / (double) draws).as(noise.toString()).isGreaterThan(0.95 - 0.0074);
      if (noise.steps() > 1000) {
        assertThat(inside / (double) draws).as(noise.toString()).isLessThan(0.95 + 0.0074);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 9})
  void shouldAddUpAnyNumberOfEqualNoises(int count) {
    GridLaplace laplace = new GridLaplace(20, RECORD);
    double half = laplace.halfWidth(0.95, ones(count)) / RECORD;
    assertThat(LaplaceNoise.tail(half, count)).isCloseTo(0.05, within(1e-5));
    GridGaussian gaussian = new GridGaussian(20, RECORD);
    assertThat(gaussian.halfWidth(0.95, ones(count)) / RECORD)
        .isCloseTo(1.959964 * Math.sqrt(count), within(1e-4));
    assertThat(laplace.halfWidth(0.95, 0, 0)).isZero();
    assertThat(laplace.tail(0, 0, 0)).isZero();
    assertThat(gaussian.tail(0, 0)).isZero();
  }

  @Test
  void shouldRefuseWhatIsNoNoise() {
    assertThatThrownBy(() -> new GridLaplace(41, 1)).hasMessageContaining("40 binary digits");
    assertThatThrownBy(() -> new GridLaplace(20, 0)).hasMessageContaining("2^40");
    assertThatThrownBy(() -> new GridGaussian(20, 5)).hasMessageContaining("2^56");
    assertThatThrownBy(() -> sensitivity(0, 1)).hasMessageContaining("1 part");
    assertThatThrownBy(() -> WeightedLaplaceSum.tail(1, 1, 2, 3, 4))
        .hasMessageContaining("3 weights");
  }
}
