// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.RenyiOrders;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.mechanism.dirichlet.TheoremA;
import io.sfumato.mechanism.dirichlet.TheoremB;
import io.sfumato.mechanism.dirichlet.TheoremC;
import io.sfumato.property.DoubleRange;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import java.util.Arrays;
import java.util.Random;
import org.apache.commons.math3.analysis.integration.IterativeLegendreGaussIntegrator;
import org.apache.commons.math3.special.Beta;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Theorems A, B and C against the definitions, over random neighbours. */
class TheoremsTest {
  /** The loss of a Dirichlet draw is unbounded, so no delta is 0; and none is no number. */
  @ParameterizedTest
  @CsvSource({
    "10, 0.01, 20",
    "100, 0.1, 20",
    "800, 10, 5",
    "1000000, 1, 1",
    "1, 1e-9, 300000",
    "750, 300, 2"
  })
  void noDeltaOfADirichletDrawIsZero(double epsilon, double r, double a) {
    double delta = TheoremB.delta(epsilon, r, a);
    assertThat(delta).isPositive().isLessThanOrEqualTo(1);
    // P[Beta(a + r, a) > t] alone is an upper bound, and here the bound is not above it.
    double x = 1 / (1 + StrictMath.exp(epsilon / r));
    assertThat(delta).isLessThanOrEqualTo(Beta.regularizedBeta(x, a, a + r) * 1.01 + 1e-300);
  }

  /** A search tests r before a is rounded: what it returns is tested itself. */
  @Test
  void aPairThatIsReturnedHasPassedTheTestItself() {
    ParameterSearch.Allowed picky = (r, a) -> r <= 0.25 && a * 3 == Math.rint(a * 3) || r < 0.125;
    DirichletParameters found = DirichletParameters.rounded(0.25, 7.1);
    assertThat(picky.test(found.r(), found.a())).isFalse();
    DirichletParameters tested = ParameterSearch.tested(picky, found).orElseThrow();
    assertThat(picky.test(tested.r(), tested.a())).isTrue();
    assertThat(tested.aSteps()).isEqualTo(found.aSteps());
    assertThat(ParameterSearch.tested((r, a) -> true, found)).contains(found);
    assertThat(ParameterSearch.tested((r, a) -> false, found)).isEmpty();
  }

  /** Rényi divergence of two Dirichlet laws with any totals, straight from the definition. */
  static double divergence(double order, double[] u, double[] v) {
    double[] w = new double[u.length];
    Arrays.setAll(w, i -> order * u[i] + (1 - order) * v[i]);
    if (Arrays.stream(w).anyMatch(x -> !(x > 0))) {
      return Double.POSITIVE_INFINITY;
    }
    return (lnB(w) - order * lnB(u) - (1 - order) * lnB(v)) / (order - 1);
  }

  private static double lnB(double[] u) {
    return Arrays.stream(u).map(Gamma::logGamma).sum() - Gamma.logGamma(Arrays.stream(u).sum());
  }

  private static double[] parameters(int[] counts, double r, double a) {
    return Arrays.stream(counts).mapToDouble(count -> r * count + a).toArray();
  }

  @Property(tries = 1000)
  void theoremABoundsReplacingUpToCRecords(
      @ForAll @IntRange(min = 0, max = 1_000_000) int seed,
      @ForAll @IntRange(min = 0, max = 86) int place,
      @ForAll @IntRange(min = 1, max = 6) int records,
      @ForAll @DoubleRange(min = 0.001, max = 3) double r,
      @ForAll @DoubleRange(min = 0.5, max = 20) double a) {
    Random random = new Random(seed);
    int[] counts = random.ints(5, 0, 4).toArray();
    int[] other = counts.clone();
    for (int i = 0; i < records; i++) {
      int from = random.nextInt(5);
      if (other[from] > 0) {
        other[from]--;
        other[random.nextInt(5)]++;
      }
    }
    double order = RenyiOrders.at(place);
    double bound = TheoremA.divergence(order, r, a, records);
    if (bound < Double.POSITIVE_INFINITY) {
      assertThat(divergence(order, parameters(counts, r, a), parameters(other, r, a)))
          .isLessThanOrEqualTo(bound + 1e-9 * (1 + bound));
    }
  }

  @Property(tries = 1000)
  void theoremCBoundsAddingAndRemovingUpToCRecords(
      @ForAll @IntRange(min = 0, max = 1_000_000) int seed,
      @ForAll @IntRange(min = 0, max = 86) int place,
      @ForAll @IntRange(min = 1, max = 6) int records,
      @ForAll @DoubleRange(min = 0.001, max = 3) double r,
      @ForAll @DoubleRange(min = 0.5, max = 20) double a) {
    Random random = new Random(seed);
    int[] fewer = random.ints(5, 0, 4).toArray();
    int[] more = fewer.clone();
    for (int i = 0; i < records; i++) {
      more[random.nextInt(5)]++;
    }
    double order = RenyiOrders.at(place);
    double bound = TheoremC.divergence(order, r, a, records);
    if (bound < Double.POSITIVE_INFINITY) {
      double slack = 1e-9 * (1 + bound);
      double[] u = parameters(fewer, r, a);
      double[] v = parameters(more, r, a);
      assertThat(divergence(order, u, v)).isLessThanOrEqualTo(bound + slack);
      assertThat(divergence(order, v, u)).isLessThanOrEqualTo(bound + slack);
    }
  }

  /**
   * A user's C records lie in several subjects, each with a draw of its own: the losses add up to
   * no more than the charge of all in one.
   */
  @Test
  void theoremCCoversAUsersRecordsInSeveralSubjects() {
    Random random = new Random(17);
    for (int attempt = 0; attempt < 5_000; attempt++) {
      int subjects = 1 + random.nextInt(4);
      int records = 1 + random.nextInt(8);
      double r = StrictMath.exp(-6 + 7 * random.nextDouble());
      double a = 0.5 + StrictMath.exp(-3 + 6 * random.nextDouble());
      double order = RenyiOrders.at(random.nextInt(RenyiOrders.size()));
      int[][] without = new int[subjects][];
      Arrays.setAll(without, s -> random.ints(3, 0, 6).toArray());
      int[][] with = Arrays.stream(without).map(int[]::clone).toArray(int[][]::new);
      for (int i = 0; i < records; i++) {
        with[random.nextInt(subjects)][random.nextInt(3)]++;
      }
      double removed = 0;
      double added = 0;
      for (int s = 0; s < subjects; s++) {
        double[] u = parameters(with[s], r, a);
        double[] v = parameters(without[s], r, a);
        removed += divergence(order, u, v);
        added += divergence(order, v, u);
      }
      double bound = TheoremC.divergence(order, r, a, records);
      if (bound < Double.POSITIVE_INFINITY) {
        double slack = 1e-9 * (1 + bound);
        assertThat(removed).isLessThanOrEqualTo(bound + slack);
        assertThat(added).isLessThanOrEqualTo(bound + slack);
      }
    }
  }

  /** In general A is the supremum: two far larger other counts do not matter, the moved ones do. */
  @ParameterizedTest
  @CsvSource({"2, 0.4, 5, 1", "8, 0.1, 3, 3", "1.5, 1, 4, 2"})
  void theoremAIsAttainedByMovingAllRecordsBetweenTwoCategories(
      double order, double r, double a, int records) {
    double[] u = parameters(new int[] {records, 0, 7}, r, a);
    double[] v = parameters(new int[] {0, records, 7}, r, a);
    assertThat(divergence(order, u, v))
        .isCloseTo(TheoremA.divergence(order, r, a, records), within(1e-9));
  }

  /** Why a >= 1/2 is needed for several records: spreading three is worse than moving them. */
  @Test
  void formulaIsNoBoundForSeveralRecordsAndSmallA() {
    double a = 0.01;
    double r = 0.07 / 3;
    double[] u = parameters(new int[] {3, 0, 0, 0}, r, a);
    double[] together = parameters(new int[] {0, 3, 0, 0}, r, a);
    double[] spread = parameters(new int[] {0, 1, 1, 1}, r, a);
    double formula = Math.max(divergence(1.1, u, together), divergence(1.1, together, u));
    double worse = Math.max(divergence(1.1, u, spread), divergence(1.1, spread, u));
    assertThat(formula).isCloseTo(11.209, within(0.001));
    assertThat(worse).isCloseTo(11.548, within(0.001));
    assertThatThrownBy(() -> TheoremA.divergence(1.1, r, a, 3))
        .hasMessageContaining("at least 1/2");
    assertThatThrownBy(() -> TheoremC.divergence(1.1, r, a, 1))
        .hasMessageContaining("at least 1/2");
  }

  /** Theorem B against the hockey-stick integral over the loss, on a fine grid. */
  @Tag("deep")
  @ParameterizedTest
  @CsvSource({"0.5, 0.3, 4", "1, 0.427, 6.26", "2, 0.9, 8", "0.1, 0.04, 3.94", "3, 2, 5"})
  void theoremBIsTheHockeyStickDivergence(double epsilon, double r, double a) {
    double lnB = Gamma.logGamma(a + r) + Gamma.logGamma(a) - Gamma.logGamma(2 * a + r);
    // y = logistic(z); the loss is r z, so only z > epsilon / r counts.
    double integral =
        new IterativeLegendreGaussIntegrator(64, 1e-12, 1e-16)
            .integrate(
                5_000_000,
                z -> {
                  double lnY = -Math.log1p(Math.exp(-z));
                  double lnNotY = -z + lnY;
                  double p = Math.exp((a + r) * lnY + a * lnNotY - lnB);
                  return p * -Math.expm1(epsilon - r * z);
                },
                epsilon / r,
                epsilon / r + 40);
    assertThat(TheoremB.delta(epsilon, r, a)).isCloseTo(integral, within(1e-9 + 1e-6 * integral));
  }

  @Property
  void deltaFallsWithEpsilonAndGrowsWithR(
      @ForAll @DoubleRange(min = 0.01, max = 5) double epsilon,
      @ForAll @DoubleRange(min = 0.01, max = 3) double r,
      @ForAll @DoubleRange(min = 0.5, max = 20) double a) {
    double delta = TheoremB.delta(epsilon, r, a);
    double slack = 1e-9;
    assertThat(TheoremB.delta(epsilon * 1.1, r, a)).isLessThanOrEqualTo(delta + slack);
    assertThat(TheoremB.delta(epsilon, r * 1.1, a)).isGreaterThanOrEqualTo(delta - slack);
    assertThat(TheoremB.delta(epsilon, r, a * 1.1)).isLessThanOrEqualTo(delta + slack);
  }
}
