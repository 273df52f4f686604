// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.mechanism.dirichlet.PaperTheorem1;
import io.sfumato.mechanism.dirichlet.TheoremA;
import io.sfumato.mechanism.dirichlet.TheoremG;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Random;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Theorems F and G and their corollary: neighbours whose totals differ. */
@Tag("deep")
class MovingTotalsTest {
  private static final int NEIGHBOURS = 100_000;

  private static double[] parameters(long[] counts, double r, double a) {
    return Arrays.stream(counts).mapToDouble(n -> r * n + a).toArray();
  }

  /** Mostly small counts, many of them 0: where the loss is largest. */
  private static long[] counts(Random random) {
    return random.longs(2 + random.nextInt(5), 0, 20).map(n -> n < 10 ? 0 : n - 10).toArray();
  }

  private static double order(Random random) {
    return RenyiOrders.at(random.nextInt(40));
  }

  /** A pair for which the bound is finite at the order. */
  private static double r(Random random, double order, double a, double steps) {
    return Math.min(
            StrictMath.exp(-5 + 6 * random.nextDouble()),
            0.98 * random.nextDouble() * a / (order - 1))
        / steps;
  }

  /** Exact divergences of 100,000 pairs: any two categories, the same one too, any two weights. */
  @Test
  void theoremFBoundsReplacingAWeightedRecord() {
    Random random = new Random(22);
    double nearest = 0;
    for (int attempt = 0; attempt < NEIGHBOURS; attempt++) {
      int largest = 1 + random.nextInt(30);
      double order = order(random);
      double a = StrictMath.exp(-4 + 7 * random.nextDouble());
      double r = r(random, order, a, largest);
      long[] first = counts(random);
      long[] second = first.clone();
      first[random.nextInt(first.length)] += random.nextInt(largest + 1);
      second[random.nextInt(first.length)] += random.nextInt(largest + 1);
      double bound = new DirichletBound.ReplaceWeighted(largest).divergence(order, r, a);
      double exact =
          TheoremsTest.divergence(order, parameters(first, r, a), parameters(second, r, a));
      assertThat(exact).isLessThanOrEqualTo(bound + 1e-9 * (1 + bound));
      nearest = Math.max(nearest, exact / bound);
    }
    assertThat(nearest).as("the bound is attained").isGreaterThan(0.99);
  }

  /** And of 100,000 statistics of real numbers that move by D2 and Dinf. */
  @Test
  void theoremGBoundsEveryStatisticAndIsNeverAboveThePapers() {
    Random random = new Random(23);
    double nearest = 0;
    for (int attempt = 0; attempt < NEIGHBOURS; attempt++) {
      double order = order(random);
      double a = 0.5 + StrictMath.exp(-4 + 7 * random.nextDouble());
      double r = r(random, order, a, 1);
      double[] u = new double[2 + random.nextInt(6)];
      double[] v = new double[u.length];
      double squared = 0;
      double largest = 0;
      for (int i = 0; i < u.length; i++) {
        double f = random.nextInt(3) > 0 ? 0 : 1000 * random.nextDouble();
        double moved = random.nextBoolean() ? 1 : random.nextDouble();
        double g = random.nextInt(4) > 0 ? f + moved : Math.max(0, f - moved);
        u[i] = r * f + a;
        v[i] = r * g + a;
        squared += (f - g) * (f - g);
        largest = Math.max(largest, Math.abs(f - g));
      }
      if (largest == 0) {
        continue;
      }
      double bound = TheoremG.divergence(order, r, a, squared, largest);
      double exact = TheoremsTest.divergence(order, u, v);
      assertThat(exact).isLessThanOrEqualTo(bound + 1e-8 * (1 + bound));
      assertThat(bound)
          .isLessThanOrEqualTo(
              PaperTheorem1.divergence(order, r, a, squared, largest) * (1 + 1e-9) + 1e-9);
      nearest = Math.max(nearest, exact / bound);
    }
    assertThat(nearest).as("the bound is nearly attained").isGreaterThan(0.95);
  }

  /** The supremum: q counts gain, and a category that is large hides that the total moved. */
  @ParameterizedTest
  @CsvSource({"2, 0.4, 5, 1", "8, 0.1, 3, 4", "3, 1, 4, 2"})
  void theoremGIsApproachedByGainsBesideALargeCount(double order, double r, double a, int gains) {
    double[] u = new double[gains + 1];
    Arrays.fill(u, a);
    u[gains] = 1e7;
    double[] v = u.clone();
    for (int i = 0; i < gains; i++) {
      v[i] += r;
    }
    double bound = TheoremG.divergence(order, r, a, gains, 1);
    assertThat(TheoremsTest.divergence(order, u, v)).isCloseTo(bound, within(1e-4 * bound));
  }

  /** What Theorem A's proof would lose: one record less and none more is a change of the total. */
  @Test
  void aChangeOfTheTotalCostsNoMoreThanAReplacement() {
    double[] with = {1.5, 2, 2};
    double[] without = {1, 2, 2};
    double replaced = TheoremA.divergence(3, 0.5, 1.0001, 1);
    assertThat(TheoremsTest.divergence(3, with, without)).isLessThan(replaced);
    assertThat(TheoremsTest.divergence(3, without, with)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(TheoremA.divergence(3, 0.5, 1, 1)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  /** ln of a logit-scale density of Beta(x, y) at z. */
  private static double lnDensity(double x, double y, double z) {
    return -x * Math.log1p(Math.exp(-z))
        - y * Math.log1p(Math.exp(z))
        + Gamma.logGamma(x + y)
        - Gamma.logGamma(x)
        - Gamma.logGamma(y);
  }

  /** Delta of two Beta laws by the trapezoidal rule over the logit. */
  private static double hockeyStick(double epsilon, double[] u, double[] v) {
    double sum = 0;
    double step = 0.01;
    for (double z = -60; z <= 60; z += step) {
      double p = lnDensity(u[0], u[1], z);
      double loss = p - lnDensity(v[0], v[1], z);
      sum += loss > epsilon ? Math.exp(p) * -Math.expm1(epsilon - loss) * step : 0;
    }
    return sum;
  }

  /**
   * Two categories, where every delta is an integral: weights, and counts raised to a least one.
   */
  @Test
  void theoremFHoldsForDeltaToo() {
    Random random = new Random(24);
    for (int attempt = 0; attempt < 400; attempt++) {
      int largest = 1 + random.nextInt(5);
      double r = 0.05 + random.nextDouble() / largest;
      double a = 0.5 + 4 * random.nextDouble();
      double epsilon = 0.01 + 2 * random.nextDouble();
      long least = random.nextInt(4);
      long[] first = random.longs(2, 0, 3).toArray();
      long[] second = first.clone();
      first[random.nextInt(2)] += random.nextInt(largest + 1);
      second[random.nextInt(2)] += random.nextInt(largest + 1);
      DirichletBound weighted = new DirichletBound.ReplaceWeighted(largest);
      DirichletBound bound = least == 0 ? weighted : new DirichletBound.LeastCount(least, weighted);
      double[] u = parameters(raised(first, least), r, a);
      double[] v = parameters(raised(second, least), r, a);
      assertThat(hockeyStick(epsilon, u, v))
          .isLessThanOrEqualTo(bound.profile(r, a).orElseThrow().delta(epsilon) + 1e-7);
    }
  }

  private static long[] raised(long[] counts, long least) {
    return Arrays.stream(counts).map(n -> Math.max(n, least)).toArray();
  }

  /** Any neighbours, also such whose counts are below the least one: no promise is relied on. */
  @Test
  void aLeastCountNeedsNoPromise() {
    Random random = new Random(25);
    for (int attempt = 0; attempt < NEIGHBOURS; attempt++) {
      long least = 1 + random.nextInt(8);
      double order = order(random);
      double a = 0.5 + StrictMath.exp(-4 + 6 * random.nextDouble());
      double r = r(random, order, a, 1) * (1 + random.nextInt(5));
      DirichletParameters pair = DirichletParameters.rounded(Math.max(r, 1e-6), a);
      long[] first = counts(random);
      long[] second = first.clone();
      first[random.nextInt(first.length)]++;
      second[random.nextInt(first.length)]++;
      DirichletBound bound = new DirichletBound.LeastCount(least, new DirichletBound.ReplaceOne());
      double limit = bound.divergence(order, pair.r(), pair.a());
      double exact =
          TheoremsTest.divergence(
              order,
              parameters(raised(first, least), pair.r(), pair.a()),
              parameters(raised(second, least), pair.r(), pair.a()));
      assertThat(exact).isLessThanOrEqualTo(limit + 1e-9 * (1 + limit));
      // The paper's Remark 2 holds as well, and is looser.
      assertThat(limit)
          .isLessThanOrEqualTo(
              new DirichletBound.LeastCount(least, new DirichletBound.Paper())
                      .divergence(order, pair.r(), pair.a())
                  + 1e-9);
    }
  }

  /** The same where a user's records are added, and for statistics. */
  @Test
  void aLeastCountHoldsForOtherNeighboursToo() {
    Random random = new Random(26);
    for (int attempt = 0; attempt < NEIGHBOURS / 2; attempt++) {
      long least = 1 + random.nextInt(8);
      int records = 1 + random.nextInt(4);
      double order = order(random);
      double a = 0.5 + StrictMath.exp(-4 + 6 * random.nextDouble());
      double r = r(random, order, a, records);
      long[] fewer = counts(random);
      long[] more = fewer.clone();
      long[] moved = new long[fewer.length];
      for (int i = 0; i < records; i++) {
        moved[random.nextInt(moved.length)]++;
      }
      Arrays.setAll(more, i -> fewer[i] + moved[i]);
      long squared = Arrays.stream(moved).map(n -> n * n).sum();
      long largest = Arrays.stream(moved).max().orElseThrow();
      double[] u = parameters(raised(fewer, least), r, a);
      double[] v = parameters(raised(more, least), r, a);
      double lost =
          Math.max(TheoremsTest.divergence(order, u, v), TheoremsTest.divergence(order, v, u));
      for (DirichletBound of :
          new DirichletBound[] {
            new DirichletBound.AddOrRemove(records), new DirichletBound.Statistic(squared, largest)
          }) {
        double bound = new DirichletBound.LeastCount(least, of).divergence(order, r, a);
        assertThat(lost).isLessThanOrEqualTo(bound + 1e-8 * (1 + bound));
      }
    }
  }

  @Test
  void theMechanismItselfRaisesCounts() {
    DirichletBound bound = new DirichletBound.LeastCount(5, new DirichletBound.ReplaceOne());
    DirichletMechanism mechanism =
        new DirichletMechanism(DirichletParameters.rounded(0.5, 1), bound, 3);
    assertThat(drawn(mechanism, 0, 9, 4))
        .isEqualTo(drawn(mechanism, 5, 9, 5))
        .isNotEqualTo(drawn(mechanism, 5, 9, 6));
    assertThat(drawn(mechanism.asCounts(40), 0, 9, 4))
        .isEqualTo(drawn(mechanism.asCounts(40), 5, 9, 5));
    assertThat(digest(mechanism, new Histogram(0, 9, 4)))
        .as("randomness follows from the exact input")
        .isNotEqualTo(digest(mechanism, new Histogram(5, 9, 5)));
    assertThat(mechanism.divergence(2, new Histogram(0, 9, 4), new Histogram(1, 9, 3))).hasValue(0);
    assertThat(
            mechanism.divergence(2, new Histogram(5, 6, 5), new Histogram(6, 5, 5)).getAsDouble())
        .isCloseTo(mechanism.charge().curve().at(2), within(1e-9));
    assertThatThrownBy(() -> new DirichletBound.LeastCount(2, bound))
        .hasMessageContaining("given once");
    assertThatThrownBy(() -> new DirichletBound.Statistic(3, 2)).hasMessageContaining("is less");
    CalibrationTarget request = new CalibrationTarget("s", Epsilon.of("1"), Delta.of("1e-5"), 1);
    assertThatThrownBy(
            () ->
                DirichletCalibrator.exact(
                    request, new DirichletBound.Statistic(4, 2), PlanningModel.zipf(3, 9)))
        .hasMessageContaining("no exact profile is proved for statistic");
    assertThatThrownBy(() -> new DirichletBound.ReplaceWeighted(0)).hasMessageContaining("1 to");
  }

  /** What is drawn with one public seed. */
  private static double[] drawn(DirichletMechanism mechanism, long... counts) {
    HistogramRelease release =
        mechanism
            .distribution(new Histogram(counts))
            .draw(KeyedRandom.ofPublicSeed("a least count"));
    double[] values = new double[counts.length];
    Arrays.setAll(
        values,
        i ->
            release instanceof Distribution shares
                ? shares.share(i)
                : ((ItemCounts) release).count(i));
    return values;
  }

  private static byte[] digest(DirichletMechanism mechanism, Histogram histogram) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    mechanism.distribution(histogram).encodeInput(encoder);
    return encoder.digest();
  }

  /** Charged as many releases as planned, by profile and by curve; and worth its name. */
  @Test
  void plansWithALeastCountFitTheirShareAndErrLess() {
    CalibrationTarget request = new CalibrationTarget("s", Epsilon.of("1"), Delta.of("1e-5"), 3);
    PlanningModel model = PlanningModel.ofWeights(new double[] {119, 74, 618, 272, 13, 187}, 1283);
    DirichletBound least = new DirichletBound.LeastCount(13, new DirichletBound.ReplaceOne());
    HistogramPlan exact = DirichletCalibrator.exact(request, least, model).orElseThrow();
    HistogramPlan renyi = DirichletCalibrator.renyi(request, least, model).orElseThrow();
    HistogramPlan without =
        DirichletCalibrator.plan(request, Accountant.EXACT, model).orElseThrow();
    assertThat(exact.releases()).isEqualTo(3);
    assertThat(renyi.releases()).isGreaterThanOrEqualTo(3);
    assertThat(exact.expectedKl())
        .isLessThan(renyi.expectedKl())
        .isLessThan(0.7 * without.expectedKl());
    // A weight of 10 is a change of 10 records: with a tenth of r the charge is the same.
    HistogramPlan weighted =
        DirichletCalibrator.exact(request, new DirichletBound.ReplaceWeighted(10), model)
            .orElseThrow();
    double r = weighted.mechanism().parameters().get("r");
    double a = weighted.mechanism().parameters().get("alpha");
    assertThat(weighted.mechanism().charge().curve().at(4))
        .isCloseTo(TheoremA.divergence(4, 10 * r, a, 1), within(1e-9));
  }
}
