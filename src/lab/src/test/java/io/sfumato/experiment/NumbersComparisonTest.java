// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Estimate;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.experiment.NumberRow.Metric;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.Numerical;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is claimed of this project's numbers beside others', at epsilon 1 and delta 1e-6. Seeds are
 * fixed; each bound lies so far from what theory gives that chance exceeds it below 1e-9: the root
 * mean square of n Laplace noises varies by at most sqrt(5 / n) / 2 of itself, that of normal ones
 * by sqrt(2 / n) / 2.
 */
@Numerical
class NumbersComparisonTest {
  private static final CalibrationTarget BUDGET = MomentComparison.budget(1);
  private static final int USERS = 5000;

  /** Google's releases with Laplace noise, which two tests compare ours with. */
  private static final Map<MadeUpAmounts, Map<Statistic, Double>> GOOGLES_LAPLACE =
      new EnumMap<>(MadeUpAmounts.class);

  private static Map<Statistic, Double> googlesLaplace(MadeUpAmounts distribution) {
    return GOOGLES_LAPLACE.computeIfAbsent(
        distribution,
        of -> errors(of.of(USERS), new GoogleNumbers(GoogleNoise.LAPLACE, BUDGET), 200_000));
  }

  private static double error(
      Amounts amounts, NumberMethod method, Statistic statistic, int releases) {
    return errors(amounts, method, releases).get(statistic);
  }

  private static Map<Statistic, Double> errors(Amounts amounts, NumberMethod method, int releases) {
    return new MomentComparison(releases).errors(amounts, method, 1);
  }

  /** Theory: sqrt(1/2) wherever the mean lies; 0.75 is six percent away, seven deviations. */
  @ParameterizedTest
  @EnumSource(names = {"UNIFORM", "LOG_NORMAL"})
  void shouldErrThreeQuartersAsMuchAsGooglesMeanWithOneMoment(MadeUpAmounts distribution) {
    Amounts amounts = distribution.of(USERS);
    double google = googlesLaplace(distribution).get(Statistic.MEAN);
    double ours =
        error(amounts, new OurNumbers(OurNumbers.Noise.LAPLACE, 1, BUDGET), Statistic.MEAN, 20_000);
    assertThat(ours / google).isBetween(0.66, 0.75);
  }

  /** Theory: 0.71 in the middle of the range, 0.78 for the skewed numbers, 0.79 at an end. */
  @ParameterizedTest
  @EnumSource(names = {"UNIFORM", "LOG_NORMAL"})
  void shouldErrLessThanGooglesMeanWithTwoMomentsAndHalfAsMuchOfTheVariance(
      MadeUpAmounts distribution) {
    Amounts amounts = distribution.of(USERS);
    Map<Statistic, Double> google = googlesLaplace(distribution);
    Map<Statistic, Double> ours =
        errors(amounts, new OurNumbers(OurNumbers.Noise.LAPLACE, 2, BUDGET), 8000);
    assertThat(ours.get(Statistic.MEAN)).isLessThanOrEqualTo(0.85 * google.get(Statistic.MEAN));
    assertThat(ours.get(Statistic.VARIANCE))
        .isLessThanOrEqualTo(0.9 * google.get(Statistic.VARIANCE));
  }

  /** Theory: 1.41 times less error than where epsilon and delta are halved, and more. */
  @ParameterizedTest
  @EnumSource(names = {"UNIFORM", "LOG_NORMAL"})
  void shouldErrLessThanGooglesWithGaussianNoise(MadeUpAmounts distribution) {
    Amounts amounts = distribution.of(USERS);
    Map<Statistic, Double> google =
        errors(amounts, new GoogleNumbers(GoogleNoise.GAUSSIAN, BUDGET), 50_000);
    Map<Statistic, Double> ours =
        errors(amounts, new OurNumbers(OurNumbers.Noise.GAUSSIAN, 2, BUDGET), 1500);
    assertThat(ours.get(Statistic.MEAN)).isLessThanOrEqualTo(0.9 * google.get(Statistic.MEAN));
    assertThat(ours.get(Statistic.VARIANCE))
        .isLessThanOrEqualTo(0.9 * google.get(Statistic.VARIANCE));
  }

  /** Users themselves add a hundred times as much noise as is needed. */
  @ParameterizedTest
  @EnumSource(names = {"UNIFORM", "LOG_NORMAL"})
  void shouldErrFarLessThanNaiveAndLocalNoise(MadeUpAmounts distribution) {
    Amounts amounts = distribution.of(USERS);
    double ours =
        error(amounts, new OurNumbers(OurNumbers.Noise.LAPLACE, 2, BUDGET), Statistic.MEAN, 1000);
    assertThat(error(amounts, new NaiveNumbers(BUDGET), Statistic.MEAN, 10_000))
        .isGreaterThan(1.5 * ours);
    assertThat(error(amounts, new LocalNumbers(BUDGET), Statistic.MEAN, 2000))
        .isGreaterThan(30 * ours);
  }

  /** What it costs to know the number too: of a sum alone in [-1, 1] Google errs sqrt(2) less. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldErrMoreOfASumAloneWhereTheRangeHoldsZero(int degree) {
    double[] x = Arrays.stream(MadeUpAmounts.UNIFORM.of(USERS).all()).map(u -> u - 50).toArray();
    Amounts amounts = Amounts.oneEach("around 0", new AmountRange("units", -50, 50), x);
    double google =
        error(amounts, new GoogleNumbers(GoogleNoise.LAPLACE, BUDGET), Statistic.SUM, 50_000);
    double ours =
        error(
            amounts, new OurNumbers(OurNumbers.Noise.LAPLACE, degree, BUDGET), Statistic.SUM, 4000);
    assertThat(ours / google).isBetween(1.2, 1.6);
  }

  private static double ranks(Amounts amounts, QuantileMethod method, int releases) {
    List<Double> places = List.of(0.05, 0.25, 0.5, 0.75, 0.95);
    double[][] errors = new QuantileComparison(releases, places).errors(amounts, method, 1);
    double squares = 0;
    for (double[] error : errors) {
      squares += error[1] * error[1] / errors.length;
    }
    return Math.sqrt(squares);
  }

  /**
   * Over five places: 13 ranks for uniform numbers, 12 for skewed ones; Google's tree 17 and 46.
   * Squares of one release's five hang together, but vary no more than a normal one's: 23% at six
   * and a half deviations.
   */
  @ParameterizedTest
  @EnumSource(names = {"UNIFORM", "LOG_NORMAL"})
  void shouldMissQuantilesBySixteenRanksAtMostAndLessThanGooglesTree(MadeUpAmounts distribution) {
    Amounts amounts = distribution.of(USERS);
    double ours = ranks(amounts, new OurQuantiles(BUDGET), 400);
    assertThat(ours).isLessThanOrEqualTo(16);
    assertThat(ours)
        .isLessThan(ranks(amounts, new GoogleQuantiles(GoogleNoise.GAUSSIAN, BUDGET), 2000));
  }

  /** Its pure tree is another guarantee, and better for numbers that fill their range evenly. */
  @ParameterizedTest
  @EnumSource(names = "LOG_NORMAL")
  void shouldMissLessThanGooglesPureTreeWhereNumbersAreSkewed(MadeUpAmounts distribution) {
    Amounts amounts = distribution.of(USERS);
    assertThat(2 * ranks(amounts, new OurQuantiles(BUDGET), 200))
        .isLessThan(ranks(amounts, new GoogleQuantiles(GoogleNoise.LAPLACE, BUDGET), 2000));
  }

  /**
   * An interval holds the mean wherever the noise of {@code sum (k - t) S_k} is within its 95% law:
   * seen for 1,000 releases; how often it is, of 100,000. 0.95 less 6.1 deviations (1e-9) is
   * 0.9458. With 1.96 deviations, as of normal noise, it would be 0.938: 0.9427 by chance.
   */
  @ParameterizedTest
  @ValueSource(ints = {5, 50, 500, 5000})
  void shouldHoldTheMeanInNinetyFiveOfAHundred(int users) {
    for (OurNumbers.Noise noise : OurNumbers.Noise.values()) {
      Amounts amounts = MadeUpAmounts.LOG_NORMAL.of(users);
      OurNumbers.Releases releases = new OurNumbers(noise, 1, BUDGET).releases(amounts);
      double mean = Statistic.MEAN.of(amounts.all());
      double t = mean / amounts.range().width();
      double half = releases.mechanism().noise().halfWidth(0.95, -t, 1 - t);
      double normal = 1.959964 * Math.hypot(t, 1 - t) * releases.mechanism().noise().deviation();
      KeyedRandom random = KeyedRandom.ofPublicSeed("held " + users + noise);
      int held = 0;
      int heldByDeviations = 0;
      for (int i = 0; i < 100_000; i++) {
        NoisyMoments drawn = releases.draw(random);
        double rest = Math.abs((1 - t) * drawn.of(0, 0, 1) - t * drawn.of(0, 0, 0));
        held += rest <= half ? 1 : 0;
        heldByDeviations += rest <= normal ? 1 : 0;
        if (i < 1000 && rest <= half - users) { // a step of rounding each
          Estimate found = releases.estimates(drawn).mean();
          assertThat(mean).isBetween(found.low(), found.high());
        }
      }
      assertThat(held / 100_000.0).as(noise.name()).isBetween(0.9458, 0.9545);
      if (noise == OurNumbers.Noise.LAPLACE) {
        assertThat(heldByDeviations / 100_000.0).isBetween(0.932, 0.945);
      }
    }
    assertThat(BernsteinParts.STEPS).isGreaterThan(USERS);
  }

  /**
   * Variances and medians take longer: coverage is not below 0.945 by more than chance allows at
   * 1e-9, 6.1 deviations.
   */
  @ParameterizedTest
  @ValueSource(ints = {5, 50, 500, 5000})
  void shouldHoldVariancesAndMediansInNinetyFiveOfAHundred(int users) {
    Amounts amounts = MadeUpAmounts.LOG_NORMAL.of(users);
    for (IntervalMethod method : Intervals.ofMoments(amounts, BUDGET)) {
      if (method.statistic().equals("variance")) {
        assertCovers(amounts, method, 800);
      }
    }
    assertCovers(amounts, Intervals.ofQuantile(amounts, BUDGET), 100);
  }

  private static void assertCovers(Amounts amounts, IntervalMethod method, int releases) {
    double coverage = CoverageComparison.row(amounts, method, 1, releases).get(Metric.COVERAGE);
    assertThat(coverage)
        .as(method.statistic() + " " + method.method())
        .isGreaterThan(0.945 - 6.1 * Math.sqrt(0.945 * 0.055 / releases));
  }
}
