// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Estimate;
import io.sfumato.estimate.Plans;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.Numerical;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of noisy sums: intervals hold the truth as often as they say. */
@Numerical
class MomentEstimatesTest {
  private static final long STEPS = BernsteinParts.STEPS;
  private static final NumberBounds BOUNDS = new NumberBounds(-2, 6);

  /**
   * Numbers of people: in the middle, at an end, everywhere, at both ends, half at each, near an
   * end.
   */
  private enum Crowd {
    MIDDLE,
    END,
    EVEN,
    ENDS,
    HALVES,
    HIGH;

    double[] numbers(int n) {
      double[] numbers = new double[n];
      Arrays.setAll(numbers, i -> BOUNDS.at(place(i, n)));
      return numbers;
    }

    private double place(int i, int n) {
      return switch (this) {
        case MIDDLE -> 0.5;
        case END -> 1;
        case EVEN -> (i + 0.5) / n;
        case ENDS -> i < 0.4 * n ? 0 : 1;
        case HALVES -> i % 2; // no variance is larger
        case HIGH -> 0.9;
      };
    }
  }

  private static ExactVector sums(MomentShape shape, double[] numbers) {
    long[] sums = new long[shape.size()];
    BernsteinParts parts = new BernsteinParts(BOUNDS, shape.degree());
    for (double x : numbers) {
      long[] one = parts.of(x);
      for (int i = 0; i < sums.length; i++) {
        sums[i] += one[i % one.length];
      }
    }
    return new ExactVector(sums);
  }

  private static GridMeasurement<MomentQuery> mechanism(
      String method, MomentSensitivity sensitivity) {
    CalibrationTarget request = new CalibrationTarget("mean", Epsilon.of("1"), Delta.of("1e-6"), 1);
    return (method.equals("laplace")
            ? Plans.laplace(request, sensitivity)
            : Plans.gaussian(request, sensitivity))
        .orElseThrow()
        .mechanism();
  }

  private static MomentEstimates estimates(
      GridMeasurement<MomentQuery> mechanism, NoisyVector drawn) {
    return MomentEstimates.of(mechanism, NoisyMoments.of(mechanism.query(), drawn), 0, 0, BOUNDS);
  }

  private static boolean holds(Estimate estimate, double truth) {
    double slack = 1e-9 * Math.max(1, Math.abs(truth)); // of the sums above, not of the release
    return estimate.low() - slack <= truth && truth <= estimate.high() + slack;
  }

  /**
   * By Chernoff's bound so few are inside with probability below 1e-10, if the interval held the
   * truth in 95 of 100.
   */
  private static void assertCovers(int inside, int draws, String what) {
    double p = inside / (double) draws;
    if (p < 0.95) {
      double divergence = p * Math.log(p / 0.95) + (1 - p) * Math.log((1 - p) / 0.05);
      assertThat(draws * divergence).as(what + " covers " + p).isLessThan(Math.log(1e10));
    }
  }

  /**
   * 24 crowds and sizes a case, each by itself and all together: of 120,000 draws at least 0.9457
   * are inside, of 28,800 (degree 2) 0.9411, or it fails.
   */
  @ParameterizedTest
  @CsvSource({
    "laplace, 1, user", "gaussian, 1, user", "laplace, 2, user", "gaussian, 2, user",
    "laplace, 1, record", "gaussian, 1, record", "laplace, 2, record", "gaussian, 2, record",
    "laplace, 2, all parts", "gaussian, 2, all parts"
  })
  void shouldHoldTheTruth(String method, int degree, String unit) {
    MomentSensitivity sensitivity =
        switch (unit) {
          case "user" -> MomentSensitivity.addOrRemove(degree, 1, 1);
          case "record" -> MomentSensitivity.replaceOneOfOneGroup(degree, 1);
          default -> MomentSensitivity.replaceOne(degree, 1);
        };
    GridMeasurement<MomentQuery> mechanism = mechanism(method, sensitivity);
    int draws = degree == 1 ? 2_500 : 800;
    int[] all = new int[5];
    for (Crowd crowd : Crowd.values()) {
      for (int n : new int[] {5, 50, 500, 5000}) {
        double[] numbers = crowd.numbers(n);
        double sum = Arrays.stream(numbers).sum();
        double mean = sum / n;
        double variance = Arrays.stream(numbers).map(x -> (x - mean) * (x - mean)).sum() / n;
        OutputDistribution<NoisyVector> distribution =
            mechanism.distribution(sums(new MomentShape(1, 1, degree), numbers));
        KeyedRandom random = KeyedRandom.ofPublicSeed(method + degree + unit + crowd + n);
        int[] inside = new int[5];
        for (int i = 0; i < draws; i++) {
          MomentEstimates found = estimates(mechanism, distribution.draw(random));
          inside[0] += holds(found.count(), n) ? 1 : 0;
          inside[1] += holds(found.sum(), sum) ? 1 : 0;
          inside[2] += holds(found.mean(), mean) ? 1 : 0;
          inside[3] += found.variance().stream().allMatch(v -> holds(v, variance)) ? 1 : 0;
          inside[4] +=
              found.deviation().stream().allMatch(v -> holds(v, Math.sqrt(variance))) ? 1 : 0;
        }
        for (int j = 0; j < inside.length; j++) {
          assertCovers(inside[j], draws, crowd + " " + n + " " + Arrays.toString(inside));
          all[j] += inside[j];
        }
      }
    }
    for (int number : all) {
      assertCovers(number, 24 * draws, "all together: " + Arrays.toString(all));
    }
  }

  /** Where it is not near an end, an interval of a mean is no wider than it must be. */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void shouldNotHoldItMuchMoreOften(String method) {
    GridMeasurement<MomentQuery> mechanism =
        mechanism(method, MomentSensitivity.addOrRemove(1, 1, 1));
    double[] numbers = Crowd.ENDS.numbers(500);
    double mean = Arrays.stream(numbers).average().orElseThrow();
    OutputDistribution<NoisyVector> distribution =
        mechanism.distribution(sums(new MomentShape(1, 1, 1), numbers));
    KeyedRandom random = KeyedRandom.ofPublicSeed("not more often " + method);
    int draws = 40_000;
    int inside = 0;
    for (int i = 0; i < draws; i++) {
      inside += holds(estimates(mechanism, distribution.draw(random)).mean(), mean) ? 1 : 0;
    }
    // Hoeffding: sqrt(ln(1e9) / 80,000) = 0.0161.
    assertThat(inside / (double) draws).isBetween(0.95 - 0.0161, 0.95 + 0.0161);
  }

  /** Next to no noise: the truth, in the number's unit. */
  @ParameterizedTest
  @CsvSource({"laplace, true", "gaussian, true", "laplace, false", "gaussian, false"})
  void shouldBeTheTruthButForTheNoise(String method, boolean sizeIsPublic) {
    Random random = new Random(8);
    double[] numbers = random.doubles(400, -2, 6).toArray();
    MomentSensitivity sensitivity =
        sizeIsPublic
            ? MomentSensitivity.replaceOneOfOneGroup(2, 1)
            : MomentSensitivity.addOrRemove(2, 1, 1);
    GridNoise noise = method.equals("laplace") ? new GridLaplace(20, 1) : new GridGaussian(20, 6);
    GridMeasurement<MomentQuery> mechanism = new MomentQuery(sensitivity).with(noise);
    MomentEstimates found =
        estimates(
            mechanism,
            mechanism
                .distribution(sums(new MomentShape(1, 1, 2), numbers))
                .draw(KeyedRandom.ofPublicSeed("little noise")));
    double mean = Arrays.stream(numbers).average().orElseThrow();
    double variance = Arrays.stream(numbers).map(x -> (x - mean) * (x - mean)).sum() / 400;
    assertClose(found.count(), 400, 1e-4);
    assertClose(found.sum(), 400 * mean, 1e-2);
    assertClose(found.mean(), mean, 2e-5);
    assertClose(found.variance().orElseThrow(), variance, 3e-4);
    assertClose(found.deviation().orElseThrow(), Math.sqrt(variance), 1e-4);
  }

  private static void assertClose(Estimate estimate, double truth, double within) {
    assertThat(estimate.value()).isCloseTo(truth, within(within));
    assertThat(estimate.high() - estimate.low()).isLessThan(4 * within);
    assertThat(holds(estimate, truth)).isTrue();
  }

  private static NoisyMoments noisy(MomentShape shape, long... steps) {
    return new NoisyMoments(shape, steps, OptionalLong.empty());
  }

  /** Nobody may be there at all: then nothing is known of their mean. */
  @ParameterizedTest
  @CsvSource({"0, 0, 0", "-3, -8, 2", "2, -1, 1", "1, 0, 0", "-20, 9, -5"})
  void shouldKnowNothingOfTheMeanOfNobody(long zero, long one, long two) {
    for (GridNoise noise : List.of(new GridLaplace(20, STEPS), new GridGaussian(20, 4 * STEPS))) {
      GridMeasurement<MomentQuery> mechanism =
          new MomentQuery(MomentSensitivity.addOrRemove(2, 1, 1)).with(noise);
      MomentEstimates found =
          MomentEstimates.of(
              mechanism,
              noisy(new MomentShape(1, 1, 2), zero * STEPS, one * STEPS, two * STEPS),
              0,
              0,
              BOUNDS);
      assertThat(found.mean().low()).isEqualTo(-2);
      assertThat(found.mean().high()).isEqualTo(6);
      assertThat(found.variance().orElseThrow().low()).isZero();
      assertThat(found.variance().orElseThrow().high()).isEqualTo(16);
      assertThat(found.deviation().orElseThrow().high()).isEqualTo(4);
      assertThat(found.mean().unknown()).isTrue();
      assertThat(found.variance().orElseThrow().unknown()).isTrue();
      assertThat(found.count().value()).as("not cut off at 0").isEqualTo(zero + one + two);
      assertThat(found.count().low()).isNegative();
    }
  }

  /**
   * Whatever the noise did, means and variances are possible ones, in intervals that have a width;
   * counts and sums are what it left, without a bias.
   */
  @Test
  void shouldStayWithinWhatIsPossible() {
    Random random = new Random(9);
    for (int i = 0; i < 4_000; i++) {
      int degree = 1 + random.nextInt(2);
      GridNoise noise =
          random.nextBoolean() ? new GridLaplace(20, STEPS) : new GridGaussian(20, STEPS);
      GridMeasurement<MomentQuery> mechanism =
          new MomentQuery(MomentSensitivity.addOrRemove(degree, 2, 1)).with(noise);
      long[] steps = random.longs(2 * 2 * (degree + 1), -30 * STEPS, 60 * STEPS).toArray();
      NumberBounds bounds =
          List.of(BOUNDS, new NumberBounds(0, 1), new NumberBounds(5, 6), new NumberBounds(-3, 0))
              .get(random.nextInt(4));
      MomentEstimates found =
          MomentEstimates.of(mechanism, noisy(new MomentShape(2, 2, degree), steps), 1, 1, bounds);
      assertThat(found.count().clamped()).isFalse();
      assertThat(found.count().value() - found.count().low())
          .isCloseTo(found.count().high() - found.count().value(), within(1e-9));
      assertThat(found.mean().high() - found.mean().low()).isGreaterThan(1e-3 * bounds.span());
      assertThat(found.mean().low()).isGreaterThanOrEqualTo(bounds.lo());
      assertThat(found.mean().high()).isLessThanOrEqualTo(bounds.hi());
      double told = 0;
      for (int k = 0; k <= degree; k++) {
        double end = bounds.lo() + bounds.span() * k / degree;
        told += end * steps[steps.length - 1 - degree + k] / STEPS;
      }
      assertThat(found.sum().value()).isCloseTo(told, within(1e-9 * (1 + Math.abs(told))));
      assertThat(found.sum().low()).isLessThan(found.sum().high());
      assertThat(found.variance().isPresent()).isEqualTo(degree == 2);
      found
          .variance()
          .ifPresent(
              v -> {
                assertThat(v.low()).isGreaterThanOrEqualTo(0);
                assertThat(v.high()).isLessThanOrEqualTo(bounds.span() * bounds.span() / 4);
              });
    }
  }

  /** Noises of all numbers' totals, averaged: deviation sqrt(4 / 2^2) instead of sqrt(2). */
  @Test
  void shouldCountByAllNumbers() {
    GridMeasurement<MomentQuery> one =
        new MomentQuery(MomentSensitivity.addOrRemove(1, 1, 1)).with(new GridGaussian(20, STEPS));
    GridMeasurement<MomentQuery> two =
        new MomentQuery(MomentSensitivity.addOrRemove(1, 2, 1)).with(new GridGaussian(20, STEPS));
    Estimate ofOne =
        MomentEstimates.of(
                one, noisy(new MomentShape(1, 1, 1), 40 * STEPS, 60 * STEPS), 0, 0, BOUNDS)
            .count();
    Estimate ofTwo =
        MomentEstimates.of(
                two,
                noisy(new MomentShape(1, 2, 1), 40 * STEPS, 60 * STEPS, 90 * STEPS, 14 * STEPS),
                0,
                1,
                BOUNDS)
            .count();
    assertThat(ofOne.value()).isEqualTo(100);
    assertThat(ofTwo.value()).isEqualTo(102);
    assertThat(ofOne.high() - 100).isCloseTo(1.959964 * Math.sqrt(2), within(1e-4));
    assertThat(ofTwo.high() - 102).isCloseTo(1.959964, within(1e-4));
  }

  /**
   * That quotients which are possible form an interval, where N is told from 0: the reach of the
   * noise moves with the quotient by no more than the reach of N's own noise, which N is above.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.95, 0.954, 0.996})
  void shouldReachNoFasterThanTheTotalDoes(double confidence) {
    for (GridNoise noise : List.of(new GridLaplace(20, STEPS), new GridGaussian(20, STEPS))) {
      for (double[] a :
          new double[][] {
            {0, 1},
            {0, 0.5, 1},
            {0.25, -0.25, 0.25},
            {0.01, -0.09, 0.81},
            {0, 0, 1},
            {0.49, -0.21, 0.09}
          }) {
        double[] ones = new double[a.length];
        Arrays.fill(ones, 1);
        double total = noise.halfWidth(confidence, ones);
        double before = noise.halfWidth(confidence, a);
        for (double v = 0.005; v <= 1; v += 0.005) {
          double now = noise.halfWidth(confidence, NoisyParts.less(a, v));
          assertThat(Math.abs(now - before)).isLessThanOrEqualTo(0.005 * total * (1 + 1e-6));
          before = now;
        }
      }
    }
  }

  @Test
  void shouldRefuseWhatIsNoEstimate() {
    assertThatThrownBy(() -> new Estimate(1, 2, 3)).hasMessageContaining("interval");
    assertThatThrownBy(() -> new Estimate(Double.NaN, 2, 3)).hasMessageContaining("interval");
    assertThatThrownBy(() -> noisy(new MomentShape(1, 1, 1), 3)).hasMessageContaining("expected");
  }
}
