// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.estimate.mollifier.KernelRatio;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.Boosting.Regime;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import io.sfumato.random.WeightedChoice;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What items are charged as and drawn from, round by round and cell by cell, at the limits. */
class ItemsAtLimitsTest {
  private static final double LN2 = Math.log(2);
  private static final Uniform BOX = new Uniform(new double[] {0, -5}, new double[] {2, 5});
  private static final Reference LINE =
      new Reference(new double[0], Optional.of(new Uniform(new double[] {-1}, new double[] {1})));

  private static Point at(int category, double... numbers) {
    return new Point(category, numbers);
  }

  private static ItemData data(Point... points) {
    return new ItemData(Optional.empty(), List.of(points));
  }

  /** The same score in every round. */
  private record Fixed(ToDoubleFunction<Double> score) implements WeakLearner {
    @Override
    public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
      return x -> score.applyAsDouble(x.numbers()[0]);
    }

    @Override
    public String text() {
      return "fixed";
    }
  }

  private static Boosting boosting(int rounds, ToDoubleFunction<Double> score, double... pool) {
    return new Boosting(
        Epsilon.of("2"),
        rounds,
        new Fixed(score),
        LINE,
        Arrays.stream(pool).mapToObj(x -> at(0, x)).toList());
  }

  @Test
  void bandsLieAroundTheReference() {
    LikelihoodRatioBand mollifier = LikelihoodRatioBand.mollifier(Epsilon.of("2"));
    assertThat(mollifier.lower()).isCloseTo(Math.exp(-1), within(1e-15));
    assertThat(mollifier.upper()).isCloseTo(Math.exp(1), within(1e-14));
    // c / (e^eps - 1 + c)
    LikelihoodRatioBand clipped = LikelihoodRatioBand.clipped(Epsilon.of("2"), 4);
    assertThat(clipped.lower()).isCloseTo(4 / (Math.exp(2) + 3), within(1e-15));
    assertThat(clipped.upper()).isCloseTo(4 * Math.exp(2) / (Math.exp(2) + 3), within(1e-14));
    for (double largest : new double[] {1, 0.5, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> LikelihoodRatioBand.clipped(Epsilon.of("2"), largest))
          .hasMessageContaining("more than 1");
    }
    for (double[] bad : new double[][] {{0, 0.5}, {1, 1}, {1, 1 / Math.E / 2}, {0.5, 0.5}}) {
      assertThatThrownBy(() -> new LikelihoodRatioBand(bad[0], bad[1]))
          .hasMessageContaining("a band has");
    }
  }

  /** theta_1 = eps / (eps + 4 ln 2), a little below it, and its powers. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 1, 30})
  void stepsArePowersOfOneRatioThatIsNotExceeded(double epsilon) {
    double[] thetas = Boosting.thetas(epsilon, 3);
    BigDecimal four = new BigDecimal("2.772588722239781237668928485832706272302");
    BigDecimal shown = new BigDecimal(thetas[0]).multiply(new BigDecimal(epsilon).add(four));
    assertThat(shown.divide(new BigDecimal(epsilon), MathContext.DECIMAL128))
        .isBetween(new BigDecimal("0.99999999999998"), new BigDecimal("0.999999999999992"));
    assertThat(thetas[1]).isCloseTo(thetas[0] * thetas[0], within(1e-15 * thetas[1]));
    assertThat(thetas[2]).isCloseTo(thetas[0] * thetas[1], within(1e-15 * thetas[2]));
  }

  @Test
  void scoresAreClippedAtTheLogarithmOfTwo() {
    for (double[] pair :
        new double[][] {{9, LN2}, {-9, -LN2}, {0.3, 0.3}, {-0.3, -0.3}, {Double.NaN, 0}}) {
      assertThat(Boosting.clipped(x -> pair[0], at(0))).isCloseTo(pair[1], within(1e-15));
    }
    assertThat(
            Boosting.clipped(
                x -> {
                  throw new IllegalStateException("no score");
                },
                at(0)))
        .isZero();
  }

  /** Means of the scores over P and, by its weights, over the pool: round after round. */
  @Test
  void everyRoundWeighsThePoolByWhatWasLearned() {
    // Scores: ln 2 above 0.5, -0.1 below; P all above, the pool three to one below.
    ToDoubleFunction<Double> score = x -> x > 0.5 ? 5 : -0.1;
    Boosting.Fit fit = boosting(2, score, 0.9, 0, 0.1, 0.2).fit(List.of(at(0, 0.8), at(0, 0.7)));
    assertThat(fit.failures()).isZero();
    double[] thetas = Boosting.thetas(Epsilon.of("2").roundedDown(), 2);
    double high = 1;
    for (int t = 0; t < 2; t++) {
      Boosting.Round round = fit.rounds().get(t);
      double overQ = (high * LN2 - 3 * 0.1) / (high + 3);
      assertThat(round.theta()).isEqualTo(thetas[t]);
      assertThat(round.gammaP()).isCloseTo(1, within(1e-12));
      assertThat(round.gammaQ()).isCloseTo(-overQ / LN2, within(1e-12));
      assertThat(round.regime()).as("denser than P where it should not be").isEqualTo(Regime.NONE);
      assertThat(round.promisedDrop()).isZero();
      high *= Math.exp(thetas[t] * (LN2 + 0.1));
    }
    double sum = thetas[0] + thetas[1];
    assertThat(fit.density().exponent(at(0, 0.6))).isCloseTo(sum * LN2, within(1e-12));
    assertThat(fit.density().exponent(at(0, 0.4))).isCloseTo(-sum * 0.1, within(1e-12));
    assertThat(fit.density().reference()).isEqualTo(LINE);
  }

  /** Theorem 6 of the long version: gammaQ from 1/3 on, and below it. */
  @Test
  void roundsPromiseWhatTheirTheoremSays() {
    double theta = Boosting.thetas(Epsilon.of("2").roundedDown(), 1)[0];
    Boosting.Round high =
        boosting(1, x -> x > 0.5 ? 9.0 : -9.0, 0.1, 0.2).fit(List.of(at(0, 0.8))).rounds().get(0);
    assertThat(high.regime()).isEqualTo(Regime.HIGH);
    assertThat(high.gammaQ()).isCloseTo(1, within(1e-12));
    assertThat(high.promisedDrop()).isCloseTo(theta * (LN2 + Math.log(4 / 2.0)), within(1e-12));
    ToDoubleFunction<Double> weaker = x -> x > 0.7 ? 0.5 : x > 0.5 ? 0.3 : -0.25;
    Boosting.Round weak =
        boosting(1, weaker, 0.1, 0.2).fit(List.of(at(0, 0.8), at(0, 0.6))).rounds().get(0);
    assertThat(weak.regime()).isEqualTo(Regime.HIGH);
    assertThat(weak.promisedDrop())
        .isCloseTo(theta * (0.5 * 0.8 + Math.log(4 / (5 - 3 * 0.25 / LN2))), within(1e-12));
    // P: (0.6 + 0.2) / 2 of 0.6; the pool: (0.1 - 0) / 2 below 0.
    ToDoubleFunction<Double> score = x -> x > 0.7 ? 0.6 : x > 0.5 ? 0.2 : x < 0 ? -0.1 : 0;
    Boosting.Round low =
        boosting(1, score, -0.5, 0.2).fit(List.of(at(0, 0.8), at(0, 0.6))).rounds().get(0);
    assertThat(low.regime()).isEqualTo(Regime.LOW);
    assertThat(low.gammaP()).isCloseTo(2 / 3.0, within(1e-12));
    assertThat(low.gammaQ()).isCloseTo(1 / 12.0, within(1e-12));
    assertThat(low.promisedDrop())
        .isCloseTo(theta * 0.6 * (2 / 3.0 + 1 / 12.0 - 0.6 * theta / 2), within(1e-12));
    Boosting.Round nothing = boosting(1, x -> 0.0, 0.1).fit(List.of(at(0, 0.8))).rounds().get(0);
    assertThat(List.of(nothing.gammaP(), nothing.gammaQ())).containsExactly(0.0, 0.0);
  }

  /** Uniform on both halves, e^(-2 theta ln 2) to 1: Hoeffding at 1e-9 in 20,000 draws. */
  @Test
  void drawsAreAcceptedInProportionToTheDensity() {
    BoostedDensity density =
        boosting(1, x -> x > 0 ? 9.0 : -9.0, 0.1, -0.1).fit(List.of(at(0, 0.5))).density();
    double theta = Boosting.thetas(Epsilon.of("2").roundedDown(), 1)[0];
    KeyedRandom random = KeyedRandom.ofPublicSeed("halves");
    int draws = 20_000;
    int above = 0;
    for (int i = 0; i < draws; i++) {
      above += density.draw(random).numbers()[0] > 0 ? 1 : 0;
    }
    assertThat(above / (double) draws)
        .isCloseTo(
            1 / (1 + Math.exp(-2 * theta * LN2)), within(Math.sqrt(Math.log(2e9) / 2 / draws)));
  }

  @Test
  void boostedItemsAreChargedTheirEpsilon() {
    BoostedItems items = new BoostedItems(boosting(2, x -> x > 0 ? Double.NaN : 1, 0.1, -0.1));
    double epsilon = Epsilon.of("2").roundedDown();
    double[] thetas = Boosting.thetas(epsilon, 2);
    assertThat(items.charge().mechanism())
        .isEqualTo(
            "boosted mollifier epsilon=2 rounds=2 learner=fixed pool=2 reference=categories []"
                + " numbers uniform [-1.0] [1.0]");
    assertThat(items.charge().unit()).isEqualTo(PrivacyUnit.DATASET);
    assertThat(items.charge().pure()).hasValue(epsilon);
    assertThat(items.method()).isEqualTo("mollifier");
    double tries = Math.exp(2 * LN2 * (thetas[0] + thetas[1]));
    assertThat(items.parameters())
        .containsOnlyKeys("epsilon_item", "rounds", "theta_1", "most_expected_tries");
    assertThat(items.parameters())
        .containsEntry("epsilon_item", epsilon)
        .containsEntry("rounds", 2.0)
        .containsEntry("theta_1", thetas[0]);
    assertThat(items.parameters().get("most_expected_tries")).isCloseTo(tries, within(1e-12));
    ItemLaw distribution = items.distribution(data(at(0, 0.5)));
    assertThat(distribution.failures()).as("no score of half the points, twice").isEqualTo(2);
    assertThat(distribution.draw(KeyedRandom.ofPublicSeed("item")).point().numbers()).hasSize(1);
    assertThat(distribution).hasToString("ItemLaw[masked]");
    assertThat(items.divergence(2, data(), data(at(0, 0.5)))).as("no cells").isEmpty();
  }

  private static CellItems cells(int bins, int categories) {
    int cells = (int) CellItems.cells(2, bins, categories);
    double[] even = new double[cells];
    Arrays.fill(even, 1.0 / cells);
    return new CellItems(
        BOX,
        bins,
        categories,
        new FiniteSampler("cells", LikelihoodRatioBand.clipped(Epsilon.of("2"), 4), even));
  }

  /** Category, then the first number, then the second; what lies outside counts at the border. */
  @Test
  void pointsLieInTheirCells() {
    CellItems items = cells(4, 3);
    assertThat(CellItems.cells(2, 4, 3)).isEqualTo(48);
    assertThat(CellItems.cells(2, 4, 0)).isEqualTo(16);
    assertThat(CellItems.cells(0, 4, 3)).isEqualTo(3);
    assertThat(items.cell(at(2, 1.1, -1))).isEqualTo(2 * 16 + 2 * 4 + 1);
    assertThat(items.cell(at(1, -9, 9))).isEqualTo(16 + 3);
    assertThat(items.cell(at(0, 2, -5))).isEqualTo(3 * 4);
    assertThat(items.cell(at(0, 0.5, 0))).isEqualTo(4 + 2);
    assertThat(items).hasToString("CellItems[0.0, -5.0][2.0, 5.0]");
  }

  /** One number chooses the cell, and one a dimension, from the last, the place in it. */
  @Test
  void cellItemsAreDrawnWithinTheCellOfTheirLaw() {
    CellItems items = cells(4, 3);
    ItemData dataset = data(at(2, 1.1, -1), at(2, 1.2, -1), at(0, 0.1, 4));
    long[] counts = new long[48];
    counts[41] = 2;
    counts[3] = 1;
    long[] weights = items.sampler().weights(new Histogram(counts));
    assertThat(items.probabilities(dataset).orElseThrow()).isEqualTo(FiniteSampler.shares(weights));
    KeyedRandom random = KeyedRandom.ofPublicSeed("cells");
    KeyedRandom same = KeyedRandom.ofPublicSeed("cells");
    WeightedChoice choice = new WeightedChoice(weights);
    ItemLaw distribution = items.distribution(dataset);
    for (int i = 0; i < 200; i++) {
      Point drawn = distribution.draw(random).point();
      int cell = choice.draw(same);
      double second = -5 + 2.5 * (cell % 4 + same.nextOpenDouble());
      double first = 0.5 * (cell / 4 % 4 + same.nextOpenDouble());
      assertThat(drawn.category()).isEqualTo(cell / 16);
      assertThat(drawn.numbers()[0]).isCloseTo(first, within(1e-12));
      assertThat(drawn.numbers()[1]).isCloseTo(second, within(1e-12));
      assertThat(items.cell(drawn)).isEqualTo(cell);
    }
    assertThat(distribution.failures()).isZero();
    assertThat(items.method()).isEqualTo("clipped");
    assertThat(items.charge().unit()).isEqualTo(PrivacyUnit.DATASET);
    assertThat(items.charge().pure()).hasValue(items.sampler().band().epsilon());
    assertThat(items.charge().mechanism())
        .isEqualTo(items.sampler().text() + " cells=4 uniform [0.0, -5.0] [2.0, 5.0]");
    assertThat(items.parameters()).containsEntry("cells", 48.0);
  }

  private static final double[] SHARES = {0.5, 0.25, 0.25};

  private static FiniteItems finite(String epsilon) {
    return new FiniteItems(
        "finite",
        new FiniteSampler("finite", LikelihoodRatioBand.mollifier(Epsilon.of(epsilon)), SHARES));
  }

  @Test
  void finiteItemsAreCategoriesOfTheirLaw() {
    FiniteItems items = finite("1");
    ItemData dataset = new ItemData(Optional.of(new Histogram(3, 0, 1)), List.of());
    ItemData other = new ItemData(Optional.of(new Histogram(0, 0, 1)), List.of());
    long[] weights = items.sampler().weights(new Histogram(3, 0, 1));
    double[] distribution = items.probabilities(dataset).orElseThrow();
    assertThat(distribution).isEqualTo(FiniteSampler.shares(weights));
    KeyedRandom random = KeyedRandom.ofPublicSeed("finite");
    KeyedRandom same = KeyedRandom.ofPublicSeed("finite");
    for (int i = 0; i < 100; i++) {
      assertThat(items.distribution(dataset).draw(random).point())
          .isEqualTo(at(new WeightedChoice(weights).draw(same)));
    }
    assertThat(items.divergence(2, dataset, other))
        .hasValue(
            RenyiDivergences.finite(2, distribution, items.probabilities(other).orElseThrow()));
    PrivacyCost charge = items.charge();
    assertThat(charge.mechanism())
        .isEqualTo(
            "finite epsilon=%s lower=%s reference=[0.5, 0.25, 0.25]",
            Double.toHexString(items.sampler().band().epsilon()),
            Double.toHexString(items.sampler().band().lower()));
    assertThat(charge.pure()).hasValue(items.sampler().band().epsilon());
    assertThat(charge.unit()).isEqualTo(PrivacyUnit.DATASET);
    LikelihoodRatioBand band = items.sampler().band();
    assertThat(items.parameters())
        .isEqualTo(
            Map.of(
                "epsilon_item", band.epsilon(),
                "lower", band.lower(),
                "upper", band.upper(),
                "worst_case_kl", items.sampler().worstCaseKl()));
    // The rarest alone lies at its upper end: -ln (e^(1/2) / 4).
    assertThat(items.sampler().worstCaseKl()).isCloseTo(Math.log(4) - 0.5, within(1e-9));
  }

  @Test
  void pooledItemsNameTheirPool() {
    List<Point> pool = Boosting.pool(LINE, 8);
    PooledItems items =
        PooledItems.of(
            "pooled",
            LikelihoodRatioBand.mollifier(Epsilon.of("1")),
            LINE,
            pool,
            new KernelRatio(LINE, pool));
    assertThat(items.parameters()).containsEntry("pool", 8.0).containsKey("epsilon_item");
    assertThat(items).hasToString("PooledItems[8 points]");
  }

  /** Lower ends are rounded up and upper ends down: at most e^eps apart, in whole numbers. */
  @Test
  void endsOfABandAreRoundedInwards() {
    FiniteSampler sampler = finite("1").sampler();
    double total = FiniteSampler.TOTAL;
    long[] first = sampler.weights(new Histogram(0, 1, 0));
    long[] second = sampler.weights(new Histogram(1, 0, 0));
    BigDecimal ratio =
        new BigDecimal(first[1]).divide(new BigDecimal(second[1]), MathContext.DECIMAL128);
    assertThat(first[1] / total).isCloseTo(Math.exp(0.5) / 4, within(1e-12));
    assertThat(second[0] / total)
        .as("what the lower ends of the others leave")
        .isCloseTo(1 - Math.exp(-0.5) / 2, within(1e-12));
    assertThat(ratio)
        .isBetween(new BigDecimal(Math.E * (1 - 1e-14)), new BigDecimal(Math.nextDown(Math.E)));
    assertThat(sampler.reference()).containsExactly(SHARES);
    sampler.reference()[0] = 9;
    assertThat(sampler.reference()).as("a copy").containsExactly(SHARES);
  }

  @Test
  void aReferenceOfCategoriesHasFullSupport() {
    LikelihoodRatioBand band = LikelihoodRatioBand.mollifier(Epsilon.of("1"));
    assertThatThrownBy(() -> new FiniteSampler("x", band, new double[] {1}))
        .hasMessageContaining("at least 2 categories");
    assertThatThrownBy(() -> new FiniteSampler("x", band, new double[] {0.5, 0.5, Double.NaN}))
        .hasMessageContaining("full support");
    assertThatThrownBy(() -> new FiniteSampler("x", band, new double[] {0.5, 0.5 + 2e-9}))
        .hasMessageContaining("add up to 1");
    assertThatThrownBy(() -> new FiniteSampler("x", band, new double[] {1 - 1e-17, 1e-17}))
        .hasMessageContaining("category 2 is too rare");
    assertThat(new FiniteSampler("x", band, new double[] {0.5, 0.5 + 9e-10}).band())
        .isEqualTo(band);
    for (double share : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new Reference(new double[] {1, share}, Optional.empty()))
          .hasMessageContaining("full support");
    }
  }

  /** All of a dataset, number by number: other data never meet the same random numbers. */
  @Test
  void everyPointIsFramed() {
    ItemData dataset = new ItemData(Optional.of(new Histogram(3, 1)), List.of(at(1, 0.5, -2)));
    CanonicalEncoder encoded = new CanonicalEncoder();
    new ItemLaw(finite("1").charge(), dataset, random -> at(0)).encodeInput(encoded);
    CanonicalEncoder expected =
        new CanonicalEncoder()
            .text(finite("1").charge().mechanism())
            .numbers(new long[] {3, 1})
            .number(1)
            .number(1)
            .number(Double.doubleToRawLongBits(0.5))
            .number(Double.doubleToRawLongBits(-2));
    assertThat(encoded.toBytes()).isEqualTo(expected.toBytes());
    CanonicalEncoder none = new CanonicalEncoder();
    data().encodeInput(none);
    assertThat(none.toBytes()).isEqualTo(new CanonicalEncoder().number(0).toBytes());
  }

  @Test
  void pointsAreKnownByTheirValues() {
    assertThat(at(1, 2, 3))
        .isEqualTo(at(1, 2, 3))
        .hasSameHashCodeAs(at(1, 2, 3))
        .hasToString("Point[2 numbers]")
        .isNotEqualTo(at(0, 2, 3))
        .isNotEqualTo(at(1, 2, 4))
        .isNotEqualTo("point");
  }

  @Test
  void referencesAreDrawnPartByPart() {
    Gaussians numbers = Gaussians.of(new double[] {1, -1}, new double[] {2, 3});
    Reference mixed = new Reference(new double[] {1, 3}, Optional.of(numbers));
    assertThat(mixed.shares()).containsExactly(0.25, 0.75);
    assertThat(mixed.share(1)).isEqualTo(0.75);
    assertThat(List.of(mixed.categories(), mixed.dimensions())).containsExactly(2, 2);
    assertThat(mixed.numbers()).hasValue(numbers);
    double[] x = {0.5, 2};
    assertThat(mixed.logDensity(at(1, x)))
        .isCloseTo(Math.log(0.75) + numbers.logDensity(x), within(1e-12));
    KeyedRandom random = KeyedRandom.ofPublicSeed("mixed");
    KeyedRandom same = KeyedRandom.ofPublicSeed("mixed");
    WeightedChoice choice = new WeightedChoice(new long[] {1L << 50, 3L << 50});
    for (int i = 0; i < 50; i++) {
      assertThat(mixed.draw(random)).isEqualTo(at(choice.draw(same), numbers.draw(same)));
    }
    assertThat(mixed)
        .isEqualTo(new Reference(new double[] {2, 6}, Optional.of(numbers)))
        .hasSameHashCodeAs(new Reference(new double[] {2, 6}, Optional.of(numbers)))
        .isNotEqualTo(LINE)
        .isNotEqualTo("reference")
        .hasToString(mixed.text());
    assertThat(mixed.text()).startsWith("categories [0.25, 0.75] numbers gaussians 1.0");
    Reference alone = new Reference(new double[] {1, 1}, Optional.empty());
    assertThat(alone.dimensions()).isZero();
    assertThat(alone.logDensity(at(0))).isCloseTo(-LN2, within(1e-15));
    assertThat(alone.draw(random).numbers()).isEmpty();
    assertThat(LINE.categories()).isZero();
    assertThat(LINE.draw(random).category()).isZero();
    assertThat(LINE.logDensity(at(0, 0.5))).isCloseTo(-LN2, within(1e-15));
    assertThatThrownBy(() -> new Reference(new double[0], Optional.empty()))
        .hasMessageContaining("categories, numbers or both");
  }

  @Test
  void boostingEndsWhereALearnerHasNothingToSay() {
    assertThatThrownBy(() -> boosting(0, x -> 0.0, 0.1)).hasMessageContaining("at least 1 round");
    assertThat(boosting(1, x -> 0.0, 0.1).rounds()).isEqualTo(1);
    Boosting.Fit empty = boosting(2, x -> 1.0, 0.1).fit(List.of());
    assertThat(empty.rounds()).isEmpty();
    assertThat(empty.failures()).isZero();
    assertThat(empty.density().exponent(at(0, 0.5))).isZero();
    WeakLearner silent =
        new WeakLearner() {
          @Override
          public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
            return null;
          }

          @Override
          public String text() {
            return "silent";
          }
        };
    Boosting.Fit fit = Boosting.of(Epsilon.of("1"), 3, silent, LINE, 8).fit(List.of(at(0, 0.5)));
    assertThat(fit.failures()).isEqualTo(1);
    assertThat(fit.rounds()).isEmpty();
    ToDoubleFunction<Double> throwing =
        x -> {
          throw new IllegalStateException("no score");
        };
    assertThat(boosting(2, throwing, 0.1).fit(List.of(at(0, 0.5))).failures())
        .as("every round that has no score somewhere")
        .isEqualTo(2);
    assertThat(Boosting.pool(LINE, 8)).hasSize(8).isEqualTo(Boosting.pool(LINE, 8));
  }
}
