// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which noise is chosen, and what a plan promises of it. */
class MomentPlansTest {
  private static final long STEPS = BernsteinParts.STEPS;
  private static final NumberBounds UNIT = new NumberBounds(0, 1);

  private static CalibrationTarget request(String epsilon, long horizon) {
    return new CalibrationTarget("mean", Epsilon.of(epsilon), Delta.of("1e-6"), horizon);
  }

  private static ExactVector alike(int degree, int records, double x) {
    long[] sums = new BernsteinParts(UNIT, degree).of(x);
    for (int k = 0; k <= degree; k++) {
      sums[k] *= records;
    }
    return new ExactVector(sums);
  }

  /**
   * 1,000 users, epsilon 1, pure: error of the mean, and that of a sum (of distances from the
   * middle) and a count at half the epsilon each. 200,000 draws; squares of errors have at most 5
   * times their mean as variance, so seven standard errors of the root are 1.8%: false alarms below
   * 1e-11.
   */
  @ParameterizedTest
  @CsvSource({"0.5, 0.00100, 0.00140", "0.9, 0.00128, 0.00181"})
  void shouldHaveLessErrorThanASumAndACount(double x, double split, double halves) {
    int users = 1000;
    int draws = 200_000;
    GridMeasurement<MomentQuery> mechanism =
        Plans.laplace(request("1", 1), MomentSensitivity.addOrRemove(1, 1, 1))
            .orElseThrow()
            .mechanism();
    OutputDistribution<NoisyVector> distribution = mechanism.distribution(alike(1, users, x));
    KeyedRandom random = KeyedRandom.ofPublicSeed("a mean of 1,000 users at " + x);
    // Scales of 1/2 over epsilon 1/2, and of 1 over epsilon 1/2.
    DiscreteLaplace ofSum = new DiscreteLaplace(STEPS, 1);
    DiscreteLaplace ofCount = new DiscreteLaplace(2 * STEPS, 1);
    double squares = 0;
    double others = 0;
    for (int i = 0; i < draws; i++) {
      NoisyVector noisy = distribution.draw(random);
      double upper = noisy.of(1);
      double error = upper / (noisy.of(0) + upper) - x;
      squares += error * error / draws;
      double sum = users * (x - 0.5) * STEPS + ofSum.sample(random);
      double count = (double) users * STEPS + ofCount.sample(random);
      double other = 0.5 + sum / count - x;
      others += other * other / draws;
    }
    assertThat(Math.sqrt(squares)).isCloseTo(split, within(0.018 * split + 5e-6));
    assertThat(Math.sqrt(others)).isCloseTo(halves, within(0.018 * halves + 2e-5));
    // What a plan says, in the middle: sqrt(2) / 1000 / sqrt(2).
    MomentError error = MomentError.of(mechanism, 1, users, UNIT);
    assertThat(error.mean().deviation()).isCloseTo(0.001, within(1e-9));
    if (x == 0.5) {
      assertThat(Math.sqrt(squares)).isCloseTo(error.mean().deviation(), within(2e-5));
    }
  }

  /** One pure release: Laplace. Many: Gaussian. In the order of what is expected of them. */
  @Test
  void shouldTakeWhatMakesTheMeansIntervalNarrowest() {
    List<MomentSensitivity> users = List.of(MomentSensitivity.addOrRemove(1, 1, 1));
    assertThat(MomentError.best(request("1", 1), users))
        .extracting(plan -> plan.mechanism().method())
        .containsExactly("laplace", "gaussian");
    assertThat(MomentError.best(request("1", 365), users))
        .extracting(plan -> plan.mechanism().method())
        .containsExactly("gaussian", "laplace");
    for (Calibrated<GridMeasurement<MomentQuery>> plan :
        MomentError.best(request("1", 365), users)) {
      assertThat(plan.releases()).isGreaterThanOrEqualTo(365);
    }
  }

  /**
   * Of degree 1 it is best to leave the first part out where N is public; of degree 2 it is not,
   * for a mean: 4/3 |(1/2, 1)| = 1.49 is more than 2 |(-1/2, 0, 1/2)| = 1.41.
   */
  @Test
  void shouldLeaveTheFirstPartOutWhereThatIsBest() {
    for (int degree = 1; degree <= 2; degree++) {
      MomentSensitivity best =
          MomentError.best(
                  request("1", 1),
                  List.of(
                      MomentSensitivity.replaceOne(degree, 1),
                      MomentSensitivity.replaceOneOfOneGroup(degree, 1)))
              .get(0)
              .mechanism()
              .query()
              .way();
      assertThat(best.firstPart()).isEqualTo(degree == 1 ? 1 : 0);
    }
  }

  /** Closed forms of Gaussian errors, in the unit of the number. */
  @Test
  void shouldPromiseTheNoisesOwnDeviations() {
    NumberBounds bounds = new NumberBounds(-10, 30);
    GridMeasurement<MomentQuery> mechanism =
        Plans.gaussian(request("1", 1), MomentSensitivity.addOrRemove(2, 2, 3))
            .orElseThrow()
            .mechanism();
    double sigma = mechanism.parameters().get("sigma");
    MomentError error = MomentError.of(mechanism, 1, 500, bounds);
    assertThat(error.count().deviation()).isCloseTo(sigma * Math.sqrt(6) / 2, within(1e-6));
    assertThat(error.sum().deviation()).isCloseTo(sigma * Math.sqrt(100 + 100 + 900), within(1e-5));
    assertThat(error.mean().deviation()).isCloseTo(sigma * 40 * Math.sqrt(0.5) / 500, within(1e-6));
    assertThat(error.variance().orElseThrow().deviation())
        .isCloseTo(sigma * 1600 * Math.sqrt(3 / 16.0) / 500, within(1e-4));
    assertThat(error.mean().halfWidth())
        .isCloseTo(1.959964 * error.mean().deviation(), within(1e-4));
    MomentError ofOne =
        MomentError.of(
            Plans.laplace(request("1", 1), MomentSensitivity.replaceOneOfOneGroup(1, 1))
                .orElseThrow()
                .mechanism(),
            1,
            500,
            bounds);
    assertThat(ofOne.count().halfWidth()).isZero();
    assertThat(ofOne.variance()).isEmpty();
    assertThat(ofOne.mean().deviation()).isCloseTo(40 * Math.sqrt(2) / 500, within(1e-6));
    assertThat(ofOne.sum().halfWidth()).isCloseTo(40 * Math.log(20), within(1e-3));
    assertThatThrownBy(() -> MomentError.of(mechanism, 1, 0, bounds)).hasMessageContaining("plan");
  }

  /** Without a delta: pure losses add up, and no more fit than were asked for. */
  @ParameterizedTest
  @CsvSource({"1, 1", "0.5, 4", "0.3, 1", "0.7, 12"})
  void shouldPlanWithoutADelta(String epsilon, long releases) {
    MomentSensitivity users = MomentSensitivity.addOrRemove(1, 1, 2);
    Calibrated<GridMeasurement<MomentQuery>> plan =
        VectorCalibrator.pureLaplace(
                "mean", Epsilon.of(epsilon), releases, new MomentQuery(users), users.moved())
            .orElseThrow();
    assertThat(plan.share().delta().value()).isZero();
    assertThat(plan.releases()).isEqualTo(releases);
    long scale = plan.mechanism().noise().steps();
    BigDecimal needed =
        BigDecimal.valueOf(2 * STEPS * releases)
            .divide(new BigDecimal(epsilon), 0, RoundingMode.UP);
    assertThat(scale).isEqualTo(needed.longValueExact());
  }

  /** Whoever cannot be hidden at all gets no plan rather than a mechanism that fails. */
  @Test
  void shouldFindNoNoiseThatIsTooLarge() {
    MomentSensitivity users = MomentSensitivity.addOrRemove(1, 1, 1000);
    assertThat(MomentError.best(request("1e-9", 1_000_000_000L), List.of(users))).isEmpty();
  }
}
