// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.mollifier.LogisticFourier;
import io.sfumato.estimate.mollifier.Stumps;
import io.sfumato.estimate.mollifier.TanhNetwork;
import io.sfumato.mechanism.mollifier.Boosting.Regime;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.WeakLearner.Classifier;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.KolmogorovSmirnov;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("deep")
class BoostingTest {
  /** The doubles themselves, added up exactly, against eps / (4 ln 2) with 50 digits of ln 2. */
  @ParameterizedTest
  @CsvSource({"1e-9, 100", "1e-3, 10000", "1, 10000", "40, 10000", "1e3, 10000", "1e6, 10000"})
  void thetasStayBelowTheirSumInExactNumbers(double epsilon, int rounds) {
    BigDecimal ln2 = new BigDecimal("0.69314718055994530941723212145817656807550013436025");
    BigDecimal most =
        new BigDecimal(epsilon)
            .divide(ln2.multiply(BigDecimal.valueOf(4)), new MathContext(60, RoundingMode.DOWN));
    BigDecimal sum = BigDecimal.ZERO;
    for (double theta : Boosting.thetas(epsilon, rounds)) {
      sum = sum.add(new BigDecimal(theta).round(new MathContext(60, RoundingMode.UP)));
    }
    assertThat(sum).isLessThan(most);
    // And each below the power that the paper has.
    BigDecimal ratio =
        new BigDecimal(epsilon)
            .divide(
                new BigDecimal(epsilon).add(ln2.multiply(BigDecimal.valueOf(4))),
                new MathContext(60));
    BigDecimal power = BigDecimal.ONE;
    for (double theta : Boosting.thetas(epsilon, Math.min(rounds, 2000))) {
      power = power.multiply(ratio, new MathContext(60));
      if (theta >= Double.MIN_NORMAL) { // smaller ones have no digits, and do not count
        assertThat(new BigDecimal(theta)).isLessThanOrEqualTo(power);
      }
    }
  }

  private static final Reference LINE =
      new Reference(new double[0], Optional.of(new Uniform(new double[] {-4}, new double[] {4})));
  private static final Reference NORMAL =
      new Reference(new double[0], Optional.of(Gaussians.of(new double[] {0}, new double[] {2})));

  /** A learner that returns whatever a function of the number says. */
  private record Adversary(ToDoubleFunction<Double> score) implements WeakLearner {
    @Override
    public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
      return x -> score.applyAsDouble(x.numbers()[0]);
    }

    @Override
    public String text() {
      return "adversary";
    }
  }

  private static Point at(double x) {
    return new Point(0, new double[] {x});
  }

  private static List<Point> points(double... xs) {
    return Arrays.stream(xs).mapToObj(BoostingTest::at).toList();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 0.1, 1, 10, 1000})
  void stepsStayBelowTheirBoundHoweverMany(double epsilon) {
    double sum = Arrays.stream(Boosting.thetas(epsilon, 5000)).sum();
    assertThat(sum).isLessThan(epsilon / (4 * Math.log(2)));
    assertThat(Boosting.thetas(epsilon, 1)[0])
        .isCloseTo(epsilon / (epsilon + 4 * Math.log(2)), within(1e-12));
  }

  /** |ln Q/Q0| <= eps/2 on a dense grid, the normaliser by quadrature. */
  @ParameterizedTest
  @CsvSource({"big, 0.5", "signs, 2", "nan, 1", "infinite, 3", "wild, 5", "throws, 1", "edges, 8"})
  void noLearnerBreaksTheBand(String kind, double epsilon) {
    ToDoubleFunction<Double> score =
        switch (kind) {
          case "big" -> x -> 1000;
          case "signs" -> x -> x > 0 ? 1000 : -1000;
          case "nan" -> x -> x > 1 ? Double.NaN : 1000;
          case "infinite" -> x -> x > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
          case "wild" -> x -> 1e9 * Math.sin(1e6 * x);
          case "throws" ->
              x -> {
                if (x > 0) {
                  throw new IllegalStateException("no score");
                }
                return -1000;
              };
          default -> x -> Math.abs(x) > 3.999 ? 1e300 : -1e300;
        };
    Boosting boosting =
        Boosting.of(Epsilon.of(Double.toString(epsilon)), 6, new Adversary(score), LINE, 64);
    Boosting.Fit fit = boosting.fit(points(1, 2));
    boolean broken = kind.equals("nan") || kind.equals("throws");
    assertThat(fit.failures()).as("rounds without a score somewhere").isEqualTo(broken ? 6 : 0);
    BoostedDensity density = fit.density();
    int cells = 200_000;
    double mean = 0;
    double most = Double.NEGATIVE_INFINITY;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < cells; i++) {
      double exponent = density.exponent(at(-4 + 8 * (i + 0.5) / cells));
      mean += Math.exp(exponent) / cells;
      most = Math.max(most, exponent);
      least = Math.min(least, exponent);
    }
    assertThat(most - Math.log(mean)).isLessThanOrEqualTo(epsilon / 2);
    assertThat(least - Math.log(mean)).isGreaterThanOrEqualTo(-epsilon / 2);
    assertThat(Double.isNaN(density.draw(KeyedRandom.ofPublicSeed(kind)).numbers()[0])).isFalse();
  }

  @Test
  void aLearnerThatFailsEndsTheBoosting() {
    WeakLearner failing =
        new WeakLearner() {
          private int rounds;

          @Override
          public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
            if (++rounds > 1) {
              throw new IllegalStateException("enough");
            }
            return x -> x.numbers()[0];
          }

          @Override
          public String text() {
            return "failing";
          }
        };
    Boosting.Fit fit = Boosting.of(Epsilon.of("1"), 3, failing, LINE, 64).fit(points(1));
    assertThat(fit.failures()).isEqualTo(1);
    assertThat(fit.rounds()).hasSize(1);
    assertThat(fit.density().exponent(at(0.1)))
        .isCloseTo(0.1 * Boosting.thetas(1, 1)[0], within(1e-12));
  }

  /** Kolmogorov-Smirnov at 1e-9 against the law by quadrature, fixed seed. */
  @ParameterizedTest
  @ValueSource(strings = {"uniform", "gaussian"})
  void rejectionGivesExactlyTheDensity(String kind) {
    Reference reference = kind.equals("uniform") ? LINE : NORMAL;
    Boosting boosting =
        Boosting.of(Epsilon.of("4"), 3, new Adversary(x -> 3 * Math.sin(2 * x)), reference, 64);
    BoostedDensity density = boosting.fit(points(1)).density();
    KeyedRandom random = KeyedRandom.ofPublicSeed("rejection " + kind);
    double[] drawn = new double[20_000];
    Arrays.setAll(drawn, i -> density.draw(random).numbers()[0]);
    double low = kind.equals("uniform") ? -4 : -20;
    int cells = 400_000;
    double width = -2 * low / cells;
    double[] below = new double[cells + 1];
    for (int i = 0; i < cells; i++) {
      Point middle = at(low + (i + 0.5) * width);
      below[i + 1] =
          below[i] + width * Math.exp(density.exponent(middle) + reference.logDensity(middle));
    }
    KolmogorovSmirnov.assertFollows(
        drawn,
        x -> {
          double place = Math.max(0, Math.min(cells, (x - low) / width));
          int cell = (int) Math.min(cells - 1, place);
          return (below[cell] + (place - cell) * (below[cell + 1] - below[cell])) / below[cells];
        });
  }

  @Test
  void anEmptyDatasetGivesTheReference() {
    Boosting boosting = Boosting.of(Epsilon.of("1"), 3, new Stumps(LINE), LINE, 64);
    BoostedDensity density = boosting.fit(List.of()).density();
    assertThat(density.exponent(at(3))).isZero();
  }

  /**
   * Every real learner tells two modes from the reference, and the promise of each round is kept.
   */
  @ParameterizedTest
  @ValueSource(strings = {"logistic", "stumps", "network"})
  void learnersLearnAndKeepTheirPromises(String kind) {
    WeakLearner learner =
        switch (kind) {
          case "logistic" -> new LogisticFourier(NORMAL, 20, 0.7, 1e-3);
          case "stumps" -> new Stumps(NORMAL);
          default -> new TanhNetwork(NORMAL, 120, 128, 0.05);
        };
    List<Point> dataset = new ArrayList<>();
    KeyedRandom random = KeyedRandom.ofPublicSeed("modes");
    for (int i = 0; i < 400; i++) {
      dataset.add(at((i % 2 == 0 ? -2 : 2) + 0.4 * random.nextStandardGaussian()));
    }
    Boosting boosting = Boosting.of(Epsilon.of("5"), 3, learner, NORMAL, 400);
    Boosting.Fit fit = boosting.fit(dataset);
    assertThat(fit.rounds()).hasSize(3);
    assertThat(fit.rounds().get(0).regime()).isNotEqualTo(Regime.NONE);
    assertThat(fit.rounds().get(0).gammaP()).isPositive();
    double promised = 0;
    for (Boosting.Round round : fit.rounds()) {
      promised += round.promisedDrop();
    }
    // KL(P, Q0) - KL(P, Q), P and Q0 being the samples that the promise speaks of.
    double gained =
        dataset.stream().mapToDouble(x -> fit.density().exponent(x)).average().orElseThrow()
            - Math.log(
                boosting.pool().stream()
                    .mapToDouble(x -> Math.exp(fit.density().exponent(x)))
                    .average()
                    .orElseThrow());
    assertThat(gained).isGreaterThanOrEqualTo(promised - 1e-12).isGreaterThan(0.1);
    assertThat(boosting.fit(dataset).density().exponent(at(2)))
        .as("deterministic")
        .isEqualTo(fit.density().exponent(at(2)));
  }

  @Test
  void mixedItemsLearnFromBothParts() {
    Reference mixed =
        new Reference(
            new double[] {1, 1, 2},
            Optional.of(Gaussians.of(new double[] {0, 0}, new double[] {1, 1})));
    List<Point> dataset = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      dataset.add(new Point(1, new double[] {1 + i % 3, -1}));
    }
    for (WeakLearner learner :
        List.of(
            new LogisticFourier(mixed, 20, 1, 1e-2),
            new Stumps(mixed),
            new TanhNetwork(mixed, 50, 64, 0.05))) {
      BoostedDensity density =
          Boosting.of(Epsilon.of("6"), 3, learner, mixed, 200).fit(dataset).density();
      assertThat(density.exponent(new Point(1, new double[] {1, -1})))
          .as(learner.text())
          .isGreaterThan(density.exponent(new Point(0, new double[] {-1, 1})));
      Point drawn = density.draw(KeyedRandom.ofPublicSeed("mixed"));
      assertThat(drawn.category()).isBetween(0, 2);
      assertThat(drawn.numbers()).hasSize(2);
    }
  }

  @Test
  void referencesWithoutFullSupportAreRefused() {
    assertThatThrownBy(() -> new Reference(new double[] {1, 0}, Optional.empty()))
        .hasMessageContaining("full support");
    assertThatThrownBy(() -> new Uniform(new double[] {1}, new double[] {1}))
        .hasMessageContaining("low below high");
    assertThatThrownBy(() -> Gaussians.of(new double[] {0}, new double[] {0}))
        .hasMessageContaining("deviations above 0");
    assertThatThrownBy(() -> new Reference(new double[0], Optional.empty()))
        .hasMessageContaining("categories, numbers or both");
    assertThatThrownBy(() -> Boosting.of(Epsilon.of("1"), 0, new Stumps(LINE), LINE, 8))
        .hasMessageContaining("at least 1 round");
  }
}
