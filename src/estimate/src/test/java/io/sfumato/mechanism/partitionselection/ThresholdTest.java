// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridNoise;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names of one user alone pass with no more than the probability that is set aside, and no less.
 */
class ThresholdTest {
  /** Every way to give at most C records to at most S names, k to one at most. */
  private static List<List<Integer>> splits(NameBounds bounds) {
    List<List<Integer>> found = new ArrayList<>();
    splits(bounds, bounds.names(), bounds.records(), bounds.perName(), List.of(), found);
    return found;
  }

  private static void splits(
      NameBounds bounds,
      int names,
      int records,
      int most,
      List<Integer> so,
      List<List<Integer>> found) {
    if (!so.isEmpty()) {
      found.add(so);
    }
    for (int next = Math.min(most, records); names > 0 && next > 0; next--) {
      List<Integer> longer = new ArrayList<>(so);
      longer.add(next);
      splits(bounds, names - 1, records - next, next, longer, found);
    }
  }

  /** P[Z >= x] of whole noise of one step, summed up term by term. */
  private static DoubleUnaryOperator summed(GridNoise noise) {
    int furthest = 4000;
    double[] atLeast = new double[2 * furthest + 2];
    for (int z = furthest; z >= -furthest; z--) {
      atLeast[z + furthest] = atLeast[z + furthest + 1] + Math.exp(noise.logDensity(z));
    }
    return x -> atLeast[(int) x + furthest] / atLeast[0];
  }

  private static double passing(List<Integer> split, DoubleUnaryOperator tail, long least) {
    double none = 0;
    for (int records : split) {
      none += Math.log1p(-tail.applyAsDouble(least - records));
    }
    return -Math.expm1(none);
  }

  /** Noise of whole records, which is the coarsest grid: there tails are exact sums. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "2, 2, 2",
    "1, 2, 2",
    "1, 7, 4",
    "2, 9, 4",
    "3, 7, 4",
    "4, 9, 9",
    "5, 8, 2",
    "6, 6, 1",
    "3, 12, 5",
    "7, 7, 7",
    "6, 9, 3",
    "8, 11, 5",
    "8, 12, 5"
  })
  void noSplitOfAUsersRecordsPassesMoreOftenThanTheWorstCorner(int names, int records, int each) {
    NameBounds bounds = new NameBounds(names, records, each);
    for (GridNoise noise :
        List.of(
            new GridLaplace(0, 2),
            new GridLaplace(0, 3),
            new GridLaplace(0, 20),
            new GridGaussian(0, 9))) {
      DoubleUnaryOperator tail = summed(noise);
      for (long least : new long[] {each + 1, 15, 30, 60}) {
        if (least <= each) {
          continue;
        }
        double worst =
            splits(bounds).stream()
                .mapToDouble(split -> passing(split, tail, least))
                .max()
                .orElseThrow();
        assertThat(Threshold.passing(tail, bounds, least))
            .as(noise + " from " + least)
            .isCloseTo(worst, within(1e-8 * worst))
            .isGreaterThanOrEqualTo(worst);
      }
    }
  }

  /** The published threshold is the least whole number at which the exact law stays below. */
  @ParameterizedTest
  @CsvSource({"1, 1, 15", "2, 2, 30", "1, 2, 29", "3, 3, 45", "4, 4, 60"})
  void shouldBeTheLeastForWholeLaplaceNoise(int names, int records, long expected) {
    NameBounds bounds = new NameBounds(names, records, records);
    double p = Math.exp(-1.0 / records);
    DoubleUnaryOperator tail = x -> Math.pow(p, x) / (1 + p);
    long least =
        IntStream.iterate(records + 1, i -> i + 1)
            .filter(i -> splits(bounds).stream().allMatch(split -> passing(split, tail, i) <= 1e-6))
            .findFirst()
            .orElseThrow();
    assertThat(least).isEqualTo(expected);
    // On the grid 2^-20 noise is all but continuous, and never needs a record more.
    GridNoise fine = new GridLaplace(20, (long) records << 20);
    assertThat(Threshold.of(fine, bounds, 1e-6).least()).isBetween(expected - 1, expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void shouldBeTheLeastOnItsGrid(String method) {
    GridNoise noise =
        method.equals("laplace") ? new GridLaplace(20, 5 << 20) : new GridGaussian(20, 5 << 20);
    NameBounds bounds = new NameBounds(3, 8, 4);
    for (double chance : new double[] {1e-12, 1e-7, 0.01, 0.2}) {
      Threshold found = Threshold.of(noise, bounds, chance);
      DoubleUnaryOperator tail = x -> Threshold.tail(noise, x);
      assertThat(Threshold.passing(tail, bounds, found.least())).isLessThanOrEqualTo(chance);
      assertThat(Threshold.passing(tail, bounds, found.least() - 1)).isGreaterThan(chance);
    }
    assertThatThrownBy(() -> Threshold.of(noise, bounds, 0))
        .hasMessageContaining("above 0 and at most 1/4");
  }

  /** P[Z >= x] is never below the truth, and above it by less than 10^-5 of it. */
  @Test
  void shouldBoundTailsClosely() {
    GridNoise laplace = new GridLaplace(20, 2 << 20);
    double p = Math.exp(-1.0 / (2 << 20));
    for (double x : new double[] {0.5, 3, 30, 60}) {
      double exact = Math.exp(-x / 2) / (1 + p);
      assertThat(Threshold.tail(laplace, x)).isBetween(exact * (1 - 1e-12), exact * (1 + 1e-5));
    }
  }

  /** The optimum at (1, 10^-6) is 14 (Desfontaines, Voss, Gipson and Mandayam 2022). */
  @Test
  void oneNameOfAUserIsFoundAlmostAsEarlyAsItCanBe() {
    SelectionCalibrator.Found found =
        SelectionCalibrator.laplace(request("1", "1e-6", 1), new NameBounds(1, 1, 1)).orElseThrow();
    assertThat(found.threshold().least()).isBetween(14L, 15L);
    assertThat(found.thresholdDelta()).isEqualByComparingTo("1e-6");
  }

  private static CalibrationTarget request(String epsilon, String delta, long windows) {
    return new CalibrationTarget("names", Epsilon.of(epsilon), Delta.of(delta), windows);
  }

  /** Ten windows at a threshold for one would lose ten times the delta. */
  @ParameterizedTest
  @CsvSource({"laplace, 1", "laplace, 10", "gaussian, 1", "gaussian, 10", "gaussian, 1000"})
  void allWindowsOfAUserLoseNoMoreThanTheDelta(String method, long windows) {
    NameBounds bounds = new NameBounds(4, 4, 1);
    CalibrationTarget request = request("1", "1e-6", windows);
    SelectionCalibrator.Found found =
        (method.equals("laplace")
                ? SelectionCalibrator.laplace(request, bounds)
                : SelectionCalibrator.gaussian(request, bounds))
            .orElseThrow();
    GridNoise noise = found.noise().noise();
    double passing =
        Threshold.passing(x -> Threshold.tail(noise, x), bounds, found.threshold().least());
    double all = -Math.expm1(windows * Math.log1p(-passing));
    assertThat(all).isLessThanOrEqualTo(found.thresholdDelta().doubleValue() * (1 + 1e-9));
    assertThat(found.thresholdDelta()).isLessThanOrEqualTo(new BigDecimal("1e-6"));
    if (method.equals("gaussian")) {
      // sqrt(S) records in L2: what is left of the delta pays for all windows' noise.
      Delta left = new Delta(new BigDecimal("1e-6").subtract(found.thresholdDelta()));
      double mu = 2 * Math.sqrt(windows) / Math.scalb(noise.deviation(), -20);
      assertThat(gaussianDelta(mu, 1)).isLessThanOrEqualTo(left.value().doubleValue());
    }
  }

  /** Balle and Wang 2018, Theorem 8. */
  private static double gaussianDelta(double mu, double epsilon) {
    return PrivacyProfile.gaussian(mu).delta(epsilon);
  }

  @Test
  void shouldRefuseBoundsThatContradictEachOther() {
    assertThatThrownBy(() -> new NameBounds(3, 2, 1)).hasMessageContaining("names of a user");
    assertThatThrownBy(() -> new NameBounds(1, 2, 3)).hasMessageContaining("for one name");
    assertThatThrownBy(() -> new NameBounds(1, 0, 1)).hasMessageContaining("1 to");
  }

  /** In L2 all of them, by every split. */
  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 2, 2", "3, 7, 4", "4, 9, 2", "5, 5, 1"})
  void noSplitMovesTheCountsFurther(int names, int records, int each) {
    NameBounds bounds = new NameBounds(names, records, each);
    long l2 = 0;
    long l1 = 0;
    for (List<Integer> split : splits(bounds)) {
      l2 = Math.max(l2, split.stream().mapToLong(x -> (long) x * x).sum());
      l1 = Math.max(l1, split.stream().mapToLong(x -> x).sum());
    }
    assertThat(bounds.squaredNorm()).isEqualTo(l2);
    assertThat(bounds.sensitivity().l1()).isEqualTo(l1);
    assertThat(bounds.sensitivity().l2()).isGreaterThan(Math.sqrt(l2));
  }

  /** A chance that is met to the last bit is kept to. */
  @Test
  void theLeastThatKeepsToItsChanceIsFoundWhereverItLies() {
    NameBounds one = new NameBounds(1, 1, 1);
    DoubleUnaryOperator tail = x -> Math.pow(0.9, x) / 2;
    for (long least : new long[] {8, 9, 12, 15, 16, 17, 31, 32, 33, 100}) {
      double chance = Threshold.passing(tail, one, least);
      assertThat(Threshold.of(tail, one, chance).least()).isEqualTo(least);
    }
    assertThat(Threshold.of(x -> 0.5, one, 0.25).least())
        .as("no further than any noise of a share reaches")
        .isEqualTo(1L << 50);
  }

  /** Of pure charges, a thousand windows would need noise of a thousand records. */
  @Test
  void ofManyWindowsADeltaPaysForLaplaceNoiseToo() {
    SelectionCalibrator.Found found =
        SelectionCalibrator.laplace(request("1", "1e-6", 1000), new NameBounds(1, 1, 1))
            .orElseThrow();
    GridNoise noise = found.noise().noise();
    assertThat(Math.scalb(noise.deviation(), -noise.digits())).isLessThan(500);
  }

  @Test
  void ofPlansWithOneThresholdTheBestHasTheLeastNoise() {
    NameBounds one = new NameBounds(1, 1, 1);
    SelectionCalibrator.Found less =
        SelectionCalibrator.laplace(request("2", "1e-6", 1), one).orElseThrow();
    SelectionCalibrator.Found more =
        SelectionCalibrator.laplace(request("1", "1e-6", 1), one).orElseThrow();
    SelectionCalibrator.Found asLate =
        new SelectionCalibrator.Found(
            more.noise(), more.sensitivity(), less.threshold(), more.thresholdDelta());
    assertThat(SelectionCalibrator.best(Stream.of(asLate, less))).contains(less);
    assertThat(SelectionCalibrator.best(Stream.of(less, asLate))).contains(less);
    assertThat(SelectionCalibrator.best(Stream.of(more, less))).contains(less);
    assertThat(less.threshold().least()).isLessThan(more.threshold().least());
  }

  /** Shares that pay for thresholds are known by the names of their charges. */
  @Test
  void shouldBeFoundInTheNamesOfCharges() {
    CalibrationTarget request = request("1", "1e-6", 1);
    SelectionCalibrator.Found found =
        SelectionCalibrator.laplace(request, new NameBounds(2, 4, 2)).orElseThrow();
    String charge = found.planned(request).mechanism().charge().mechanism();
    String noise = found.noise().noise().charge(found.sensitivity()).mechanism();
    assertThat(Threshold.isPartOf(charge)).isTrue();
    assertThat(Threshold.isPartOf(noise + " over-3 from-5-to-9")).isTrue();
    assertThat(Threshold.isPartOf(noise)).isFalse();
  }
}
