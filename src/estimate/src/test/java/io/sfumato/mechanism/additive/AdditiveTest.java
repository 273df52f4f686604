// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.ComposedBudget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.additive.AdditiveCalibrator;
import io.sfumato.estimate.additive.CalibratedNoise;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.property.DoubleRange;
import io.sfumato.property.ForAll;
import io.sfumato.property.LongRange;
import io.sfumato.property.Property;
import io.sfumato.property.Size;
import io.sfumato.testkit.HighPrecision;
import io.sfumato.testkit.Numerical;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Numerical
class AdditiveTest {
  private static final PlanningModel PAPER_EXAMPLE =
      PlanningModel.ofWeights(new double[] {119, 74, 618, 272, 13, 187}, 1283);

  /** Far tails: the loss is unbounded, and what lies beyond the terms kept is no one's gain. */
  @ParameterizedTest
  @CsvSource({"16, 9.3", "16, 9.5", "1, 40", "0.25, 150", "1000, 1.2", "16, 30"})
  void discreteGaussianProfileKeepsItsFarTail(double variance, double epsilon) {
    // P[T = -i] (1 - e^(eps - loss)) for the most likely i whose loss exceeds epsilon by 1/2 v.
    long i = (long) Math.ceil(epsilon * variance - 1 + 0.5);
    double lnMass = -(double) i * i / (4 * variance) - 0.5 * Math.log(4 * Math.PI * variance);
    double loss = (1 + i) / variance;
    double least = Math.exp(lnMass) * -Math.expm1(epsilon - loss);
    PrivacyProfile profile = new DiscreteGaussianProfile(variance);
    // The normaliser of T is that of a continuous law but for 1e-16 where the variance is 1.
    assertThat(profile.delta(epsilon))
        .isPositive()
        .isLessThan(1e-80)
        .isGreaterThanOrEqualTo(variance >= 1 ? least * (1 - 1e-9) : 0);
  }

  /** A share over ten releases that only a window around all of the sum refuses. */
  @Test
  void leastNoiseOfTenLaplaceReleasesIsEnough() {
    CalibrationTarget request = new CalibrationTarget("s", Epsilon.of("0.5"), Delta.of("1e-6"), 10);
    CalibratedNoise<AdditiveNoise> least =
        NoiseCalibration.laplace(request, Accountant.EXACT, Sensitivity.replaceOne()).orElseThrow();
    double rate = least.noise().steps() / (double) LaplaceNoise.STEPS;
    double delta =
        new HighPrecision(40)
            .randomisedResponse(new BigDecimal(rate), 20, new BigDecimal(0.5))
            .doubleValue();
    assertThat(delta).isLessThanOrEqualTo(1e-6);
  }

  /** Where the coarse search is too bold, what it found is not returned untested. */
  @ParameterizedTest
  @CsvSource({"100000000, 3", "1000000000, 5"})
  void leastNoiseOfVeryManyReleasesIsEnough(long releases, String epsilon) {
    CalibrationTarget request =
        new CalibrationTarget("s", Epsilon.of(epsilon), Delta.of("1e-6"), releases);
    CalibratedNoise<AdditiveNoise> least =
        NoiseCalibration.laplace(request, Accountant.EXACT, Sensitivity.replaceOne()).orElseThrow();
    PrivacyCost charge = least.noise().charge(Sensitivity.replaceOne());
    boolean composed =
        ComposedBudget.of(request).covers(charge.profile().orElseThrow(), Precision.FINE);
    double renyi = Conversion.epsilon(RenyiCurve.zero().plus(releases, charge.curve()), 1e-6);
    assertThat(composed || renyi <= Double.parseDouble(epsilon)).isTrue();
  }

  /** The closed form against a double sum over both counts' noises. */
  @ParameterizedTest
  @CsvSource({"0.3", "1", "7.5", "40"})
  void discreteGaussianProfileIsTheSumOverBothNoises(double variance) {
    int reach = (int) (40 * Math.sqrt(variance)) + 4;
    double[] distribution = new double[2 * reach + 1];
    for (int x = -reach; x <= reach; x++) {
      distribution[x + reach] = Math.exp(-x * x / (2 * variance));
    }
    double z = Arrays.stream(distribution).sum();
    PrivacyProfile profile = new DiscreteGaussianProfile(variance);
    for (double epsilon : new double[] {0, 0.3, 1, 4, 10.6}) {
      double delta = 0;
      for (int x = -reach; x < reach; x++) {
        for (int y = -reach; y < reach; y++) {
          // Neighbours f and f - e_1 + e_2: the noises are x and y, or x + 1 and y - 1.
          double p = distribution[x + reach] / z * (distribution[y + reach] / z);
          double q =
              distribution[x + 1 + reach] / z * (y > -reach ? distribution[y - 1 + reach] / z : 0);
          delta += Math.max(0, p - Math.exp(epsilon) * q);
        }
      }
      assertThat(profile.delta(epsilon))
          .isGreaterThanOrEqualTo(delta * (1 - 1e-9))
          .isCloseTo(delta, within(1e-9 * delta + 1e-40));
    }
  }

  /** At small sigma the continuous formula is no bound: it falls below the truth. */
  @Test
  void continuousFormulaIsNoBoundForDiscreteNoise() {
    double variance = 0.5;
    double worst = 0;
    for (double epsilon = 4; epsilon < 11; epsilon += 0.01) {
      worst =
          Math.max(
              worst,
              new DiscreteGaussianProfile(variance).delta(epsilon)
                  / PrivacyProfile.gaussian(Math.sqrt(2 / variance)).delta(epsilon));
    }
    assertThat(worst).isGreaterThan(1.3);
  }

  /** Rényi curve and profile of discrete Laplace noise, from the definitions. */
  @ParameterizedTest
  @CsvSource({"1048576", "300000", "4000000"})
  void discreteLaplaceChargeIsExact(long rateSteps) {
    double rate = rateSteps / 0x1.0p20;
    int reach = (int) (45 / rate) + 3;
    double[] distribution = new double[2 * reach + 1];
    for (int x = -reach; x <= reach; x++) {
      distribution[x + reach] = Math.exp(-rate * Math.abs(x)) * Math.tanh(rate / 2);
    }
    PrivacyCost charge = new LaplaceNoise(rateSteps).charge(Sensitivity.replaceOne());
    for (double epsilon : new double[] {0, 0.7 * rate, 1.5 * rate}) {
      double delta = 0;
      for (int x = -reach; x < reach; x++) {
        for (int y = -reach + 1; y <= reach; y++) {
          delta +=
              Math.max(
                  0,
                  distribution[x + reach] * distribution[y + reach]
                      - Math.exp(epsilon)
                          * distribution[x + 1 + reach]
                          * distribution[y - 1 + reach]);
        }
      }
      assertThat(charge.profile().orElseThrow().delta(epsilon)).isCloseTo(delta, within(1e-9));
    }
    for (int i = 0; i < RenyiOrders.size(); i += 9) {
      double order = RenyiOrders.at(i);
      double sum = 0;
      for (int x = -reach; x < reach; x++) {
        sum +=
            distribution[x + reach]
                * Math.exp((order - 1) * rate * (Math.abs(x + 1) - Math.abs(x)));
      }
      assertThat(charge.curve().at(order)).isCloseTo(2 * Math.log(sum) / (order - 1), within(1e-8));
    }
    assertThat(charge.pure().orElseThrow()).isEqualTo(2 * rate);
  }

  /** The simulated columns of the table in docs/theory/additive-noise.md, within 10%. */
  @ParameterizedTest
  @CsvSource({
    "0.1, 0.0303, 0.0292",
    "0.5, 0.0029, 0.0022",
    "1, 0.0013, 0.0009",
    "2, 0.00034, 0.00029"
  })
  void gaussianReachesTheReferenceErrors(String epsilon, double floor, double posteriorMean) {
    // Half a unit of the last printed digit on top.
    assertThat(gaussian(epsilon, "1e-5", PostProcessing.FLOOR, PAPER_EXAMPLE))
        .isCloseTo(floor, within(0.1 * floor + 0.00005));
    assertThat(gaussian(epsilon, "1e-5", PostProcessing.POSTERIOR_MEAN, PAPER_EXAMPLE))
        .isCloseTo(posteriorMean, within(0.1 * posteriorMean + 0.00005));
  }

  /** Where Dirichlet loses and where it does not: Zipf 1.2, delta 1e-6, epsilon 1. */
  @ParameterizedTest
  @CsvSource({"1000, 20, 0.052, 0.019, 0.014", "1000, 100, 0.357, 0.120, 0.096"})
  void methodsReachTheReferenceErrors(
      int size, int categories, double dirichlet, double floor, double posteriorMean) {
    double[] weights = new double[categories];
    Arrays.setAll(weights, k -> Math.pow(k + 1, -1.2));
    PlanningModel model = PlanningModel.ofWeights(weights, size);
    double drawn =
        DirichletCalibrator.plan(request("1", "1e-6"), Accountant.EXACT, model)
            .orElseThrow()
            .expectedKl();
    assertThat(drawn).isCloseTo(dirichlet, within(0.1 * dirichlet));
    assertThat(gaussian("1", "1e-6", PostProcessing.FLOOR, model))
        .isCloseTo(floor, within(0.1 * floor));
    assertThat(gaussian("1", "1e-6", PostProcessing.POSTERIOR_MEAN, model))
        .isCloseTo(posteriorMean, within(0.1 * posteriorMean));
  }

  private static double gaussian(
      String epsilon, String delta, PostProcessing postProcessing, PlanningModel model) {
    return AdditiveCalibrator.gaussian(
            request(epsilon, delta),
            Accountant.EXACT,
            postProcessing,
            Sensitivity.replaceOne(),
            model)
        .orElseThrow()
        .expectedKl();
  }

  private static CalibrationTarget request(String epsilon, String delta) {
    return new CalibrationTarget("x", Epsilon.of(epsilon), Delta.of(delta), 1);
  }

  @Test
  void plansSpendTheirShareAndNoMore() {
    CalibrationTarget request = new CalibrationTarget("x", Epsilon.of("3"), Delta.of("1e-6"), 20);
    for (Accountant accountant : new Accountant[] {Accountant.EXACT, Accountant.RENYI}) {
      HistogramPlan gaussian =
          AdditiveCalibrator.gaussian(
                  request,
                  accountant,
                  PostProcessing.POSTERIOR_MEAN,
                  Sensitivity.replaceOne(),
                  PAPER_EXAMPLE)
              .orElseThrow();
      HistogramPlan laplace =
          AdditiveCalibrator.laplace(request, accountant, Sensitivity.replaceOne(), PAPER_EXAMPLE)
              .orElseThrow();
      assertThat(gaussian.releases()).isEqualTo(20);
      assertThat(laplace.releases()).isEqualTo(20);
    }
  }

  /** The exact accountant is never worse than the Rényi one, however many releases. */
  @ParameterizedTest
  @CsvSource({"1", "300", "1000000"})
  void exactPlansAreNeverNoisierThanRenyiOnes(long horizon) {
    CalibrationTarget request =
        new CalibrationTarget("x", Epsilon.of("3"), Delta.of("1e-6"), horizon);
    assertThat(
            parameter(
                AdditiveCalibrator.gaussian(
                    request,
                    Accountant.EXACT,
                    PostProcessing.FLOOR,
                    Sensitivity.replaceOne(),
                    PAPER_EXAMPLE)))
        .isLessThanOrEqualTo(
            parameter(
                AdditiveCalibrator.gaussian(
                    request,
                    Accountant.RENYI,
                    PostProcessing.FLOOR,
                    Sensitivity.replaceOne(),
                    PAPER_EXAMPLE)));
    assertThat(
            parameter(
                AdditiveCalibrator.laplace(
                    request, Accountant.EXACT, Sensitivity.replaceOne(), PAPER_EXAMPLE)))
        .isLessThanOrEqualTo(
            parameter(
                AdditiveCalibrator.laplace(
                    request, Accountant.RENYI, Sensitivity.replaceOne(), PAPER_EXAMPLE)));
  }

  private static double parameter(Optional<HistogramPlan> plan) {
    return plan.orElseThrow().mechanism().parameters().values().iterator().next();
  }

  @Property
  void postProcessedSharesArePositiveAndAddUpToOne(
      @ForAll @Size(5) double[] raw,
      @ForAll @LongRange(min = 0, max = 100_000) long size,
      @ForAll @DoubleRange(min = 0.01, max = 1e6) double deviation) {
    double[] noisy = Arrays.stream(raw).map(x -> x % 1e6).toArray();
    for (PostProcessing postProcessing : PostProcessing.values()) {
      Distribution shares = postProcessing.apply(noisy, size, deviation);
      double sum = 0;
      for (int i = 0; i < 5; i++) {
        assertThat(shares.share(i)).isPositive();
        sum += shares.share(i);
      }
      assertThat(sum).isEqualTo(1.0);
    }
  }

  /** Without noise to speak of the shares are the histogram's own. */
  @Test
  void littleNoiseChangesLittle() {
    Distribution shares = PostProcessing.POSTERIOR_MEAN.apply(new double[] {30, 10, 60}, 100, 1e-3);
    assertThat(shares.share(0)).isCloseTo(0.3, within(1e-6));
    assertThat(shares.share(2)).isCloseTo(0.6, within(1e-6));
  }

  /** Whoever replaces one record may move other sums by more than two counts by 1. */
  @Test
  void aRecordThatMovesMoreCostsMore() {
    Sensitivity ofOne = Sensitivity.replaceOne();
    Sensitivity ofThree =
        new Sensitivity(" three", PrivacyUnit.RECORD, List.of(new Sensitivity.Shift(3, 1)));
    AdditiveNoise laplace = new LaplaceNoise(1 << 16);
    assertThat(laplace.charge(ofThree).pure().orElseThrow())
        .isCloseTo(3 / 16.0, within(1e-12))
        .isGreaterThan(laplace.charge(ofOne).pure().orElseThrow());
    assertThat(laplace.charge(ofThree).mechanism()).contains(" three");
    // An exact profile is proved for two counts by 1 alone.
    assertThat(new GaussianNoise(1 << 16).charge(ofThree).profile()).isEmpty();
    assertThat(new GaussianNoise(1 << 16).charge(ofOne).profile()).isPresent();
  }
}
