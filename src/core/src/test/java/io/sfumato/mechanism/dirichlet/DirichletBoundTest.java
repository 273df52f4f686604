// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.DirichletMultinomial;
import io.sfumato.random.GammaSampler;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds of a Dirichlet draw at points where they have a closed form, and their limits. */
class DirichletBoundTest {
  /** psi'(1). */
  private static final double TRIGAMMA_OF_ONE = Math.PI * Math.PI / 6;

  @Test
  void sumsOfLogGammasAreRoundedUpByAnAllowanceForEachTerm() {
    double[] weights = {1, -2, 0.5};
    double[] values = {10, 4, 8};
    // 10 - 8 + 4 over 2, and 2^-48 of 1 + 10 + 8 + 4.
    double above = RoundedLogGammas.sum(3, weights, values) - 3;
    assertThat(above).isBetween(0.95 * 0x1.0p-48 * 23 / 2, 1.05 * 0x1.0p-48 * 23 / 2);
    assertThat(RoundedLogGammas.sum(3, new double[] {-1}, new double[] {4})).isZero();
    assertThat(RoundedLogGammas.sum(1.5, new double[] {1}, new double[] {4}))
        .isCloseTo(8, within(1e-12));
  }

  @Test
  void whatIsProvedIsAskedFor() {
    for (double a : new double[] {0.5, 3}) {
      assertThat(TheoremA.divergence(2, 0.01, a, 2)).isPositive();
      assertThat(TheoremC.divergence(2, 0.01, a, 1)).isPositive();
    }
    assertThat(TheoremA.divergence(2, 0.01, 0.4, 1)).as("one record").isPositive();
    double below = Math.nextDown(0.5);
    assertThatThrownBy(() -> TheoremA.divergence(2, 0.01, below, 2))
        .hasMessageContaining("at least 1/2");
    assertThatThrownBy(() -> TheoremC.divergence(2, 0.01, below, 1))
        .hasMessageContaining("at least 1/2");
    assertThatThrownBy(() -> TheoremA.divergence(2, 0.01, 1, 0)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> TheoremC.divergence(2, 0.01, 1, 0)).hasMessageContaining("at least 1");
  }

  /** At order 2 with whole numbers gammas are factorials. */
  @Test
  void theTheoremsAreTheirFactorials() {
    // A: G(a + 2 s) G(a - s) / (G(a + s) G(a)), a = 3, s = 2: 6! 0! / (4! 2!) = 15.
    double replaced = TheoremA.divergence(2, 1, 3, 2);
    assertThat(replaced).isBetween(Math.log(15), Math.log(15) + 1e-12);
    // C: G(a) G(a + 2 s) / G(a + s)^2 = 2 * 720 / 24^2, and G(a + s) G(a - s) / G(a)^2 = 24 / 4.
    double added = TheoremC.divergence(2, 1, 3, 2);
    assertThat(added).isBetween(Math.log(6), Math.log(6) + 1e-12);
    // G of one coordinate that gains 2, and of two and a half.
    assertThat(TheoremG.divergence(2, 1, 3, 4, 2)).isCloseTo(Math.log(6), within(1e-12));
    assertThat(TheoremG.divergence(2, 1, 3, 10, 2)).isCloseTo(2.5 * Math.log(6), within(1e-12));
    // At order 3 the whole is over 2: G(a + 3 s) G(a - 2 s) / (G(a + s) G(a)).
    assertThat(TheoremA.divergence(3, 1, 3, 1))
        .isCloseTo(Math.log(120.0 / (6 * 2)) / 2, within(1e-12));
    // G(a)^2 G(a + 3 s) / G(a + s)^3 = 4 * 120 / 216; G(a + s)^2 G(a - 2 s) / G(a)^3 = 36 / 8.
    assertThat(TheoremC.divergence(3, 1, 3, 1)).isCloseTo(Math.log(4.5) / 2, within(1e-12));
    assertThat(TheoremG.divergence(3, 1, 3, 1, 1)).isCloseTo(Math.log(4.5) / 2, within(1e-12));
  }

  @Test
  void thereIsNoBoundWhereAShapeWouldBeZero() {
    for (double a : new double[] {2, 1.9}) {
      assertThat(TheoremA.divergence(2, 1, a, 2)).isInfinite();
      assertThat(TheoremC.divergence(2, 1, a, 2)).isInfinite();
      assertThat(TheoremG.divergence(2, 1, a, 4, 2)).isInfinite();
    }
    assertThat(TheoremA.divergence(2, 1, 2.1, 2)).isFinite();
    assertThat(TheoremC.divergence(2, 1, 2.1, 2)).isFinite();
    assertThat(TheoremG.divergence(2, 1, 2.1, 4, 2)).isFinite();
    assertThat(PaperTheorem1.divergence(2, 1, 2)).isFinite();
    assertThat(PaperTheorem1.divergence(2, 1, Math.nextDown(2.0))).isInfinite();
    assertThat(PaperTheorem1.divergence(3, 0.5, 2.9, 2, 2)).isInfinite();
  }

  /** Below order 2 the flat bound is the larger one, of many small moves. */
  @Test
  void statisticsThatMoveEverywhereHaveTheFlatBound() {
    double flat = 0.5 * 1.5 * 0.04 * TRIGAMMA_OF_ONE * 1.25;
    double bound = TheoremG.divergence(1.5, 0.1, 1, 5, 2);
    assertThat(bound).isBetween(flat * (1 + 0.9e-7), flat * (1 + 1.2e-7));
    double gain = 0.5 * Gamma.logGamma(1.2) + Gamma.logGamma(0.9) - 1.5 * Gamma.logGamma(1);
    assertThat(gain / 0.5 * 1.25).isLessThan(flat);
  }

  @Test
  void thePapersTheoremIsItsTrigamma() {
    // psi'(2 - 1) for one replaced record; psi'(3 - 2) for a statistic.
    assertThat(PaperTheorem1.divergence(2, 1, 2))
        .isBetween(2 * TRIGAMMA_OF_ONE * (1 + 0.9e-7), 2 * TRIGAMMA_OF_ONE * (1 + 1.1e-7));
    double statistic = 0.5 * 3 * 0.25 * 7 * TRIGAMMA_OF_ONE;
    assertThat(PaperTheorem1.divergence(3, 0.5, 3, 7, 2))
        .isBetween(statistic * (1 + 0.9e-7), statistic * (1 + 1.1e-7));
    assertThat(new DirichletBound.Paper().prior(5).orElseThrow().applyAsDouble(0.5)).isEqualTo(9);
  }

  /** a = r = 1: P[Beta(2, 1) > t] = 1 - t^2, P[Beta(1, 2) > t] = (1 - t)^2. */
  @ParameterizedTest
  @CsvSource({"0", "0.1", "1", "5", "20"})
  void theExactDeltaOfSmallShapesIsAPolynomial(double epsilon) {
    // t = 1 / (1 + e^-eps): 1 - t = x, and the difference is 2 x - x^2 (1 + e^eps) = x.
    double x = 1 / (1 + Math.exp(epsilon));
    assertThat(TheoremB.delta(epsilon, 1, 1)).isBetween(x, x * (1 + 1e-11));
  }

  /** At epsilon 0 and r = 1 it is 2 / (4^a a B(a, a)): the allowance is for shapes so large. */
  @Test
  void theExactDeltaAllowsForLargeShapes() {
    double a = 1e5;
    double ln =
        Math.log(2 / a) - 2 * a * Math.log(2) - 2 * Gamma.logGamma(a) + Gamma.logGamma(2 * a);
    double allowed = 4e-16 * 2 * a * Math.log(2 * a);
    assertThat(TheoremB.delta(0, 1, a) - Math.exp(ln)).isBetween(0.5 * allowed, 1.5 * allowed);
    double small = TheoremB.delta(0, 1, 1) - 0.5;
    assertThat(small).as("and for small ones").isBetween(0.5e-12, 1.5e-12);
  }

  @Test
  void theExactDeltaIsRefusedWhereThereIsNone() {
    assertThatThrownBy(() -> TheoremB.delta(-1e-9, 1, 1)).hasMessageContaining("at least 0");
    assertThatThrownBy(() -> TheoremB.delta(1, 0, 1)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> TheoremB.delta(1, 1, 0)).hasMessageContaining("above 0");
    assertThat(TheoremB.delta(0, 1e6, 0.5)).isLessThanOrEqualTo(1).isGreaterThan(0.99);
  }

  @Test
  void boundsSayWhatTheyProtect() {
    DirichletBound replace = new DirichletBound.ReplaceOne();
    DirichletBound paper = new DirichletBound.Paper();
    DirichletBound user = new DirichletBound.AddOrRemove(3);
    DirichletBound weighted = new DirichletBound.ReplaceWeighted(4);
    DirichletBound statistic = new DirichletBound.Statistic(9, 2);
    DirichletBound least = new DirichletBound.LeastCount(5, user);
    assertThat(Arrays.asList(replace, paper, user, weighted, statistic, least))
        .extracting(DirichletBound::word)
        .containsExactly(
            "replace-one",
            "paper",
            "add-or-remove-3",
            "replace-weighted-4",
            "statistic-l2^2-9-linf-2",
            "add-or-remove-3 least-count-5");
    assertThat(Arrays.asList(replace, paper, weighted, statistic))
        .extracting(DirichletBound::unit)
        .containsOnly(PrivacyUnit.RECORD);
    assertThat(Arrays.asList(user, least))
        .extracting(DirichletBound::unit)
        .containsOnly(PrivacyUnit.USER);
    assertThat(Arrays.asList(replace, paper, user, weighted, statistic))
        .extracting(DirichletBound::leastCount)
        .containsOnly(0L);
    assertThat(least.leastCount()).isEqualTo(5);
    assertThat(replace.divergence(3, 0.2, 4)).isEqualTo(TheoremA.divergence(3, 0.2, 4, 1));
    assertThat(paper.divergence(3, 0.2, 4)).isEqualTo(PaperTheorem1.divergence(3, 0.2, 4));
    assertThat(user.divergence(3, 0.2, 4)).isEqualTo(TheoremC.divergence(3, 0.2, 4, 3));
    assertThat(statistic.divergence(3, 0.2, 4)).isEqualTo(TheoremG.divergence(3, 0.2, 4, 9, 2));
    double heaviest = TheoremA.divergence(3, 0.8, 4, 1);
    assertThat(weighted.divergence(3, 0.2, 4)).isBetween(heaviest, heaviest * (1 + 1e-12));
    double raised = TheoremC.divergence(3, 0.2, 5, 3);
    assertThat(least.divergence(3, 0.2, 4)).isBetween(raised, raised * (1 + 1e-12));
    RenyiCurve curve = user.curve(new DirichletParameters(1L << 28, 5L << 30));
    assertThat(curve.at(4)).isEqualTo(TheoremC.divergence(4, 0.25, 5, 3));
  }

  @Test
  void profilesAreThoseOfTheHeaviestRecordAndTheLeastCount() {
    DirichletBound replace = new DirichletBound.ReplaceOne();
    double one = TheoremB.delta(0.5, 0.2, 4);
    assertThat(delta(replace, 0.2, 4)).isEqualTo(one);
    assertThat(delta(new DirichletBound.Paper(), 0.2, 4)).isEqualTo(one);
    double heaviest = TheoremB.delta(0.5, 0.8, 4);
    assertThat(delta(new DirichletBound.ReplaceWeighted(4), 0.2, 4))
        .isBetween(heaviest * (1 - 1e-12), heaviest * (1 + 1e-11));
    double raised = TheoremB.delta(0.5, 0.2, 5);
    assertThat(delta(new DirichletBound.LeastCount(5, replace), 0.2, 4))
        .isBetween(raised * (1 - 1e-12), raised * (1 + 1e-11));
    assertThat(new DirichletBound.AddOrRemove(1).profile(0.2, 4)).isEmpty();
    assertThat(new DirichletBound.Statistic(1, 1).profile(0.2, 4)).isEmpty();
    assertThat(replace.prior(2)).isEmpty();
    assertThat(new DirichletBound.LeastCount(5, new DirichletBound.Paper()).prior(2)).isPresent();
  }

  private static double delta(DirichletBound bound, double r, double a) {
    return bound.profile(r, a).orElseThrow().delta(0.5);
  }

  @Test
  void stepsHaveTheirLimits() {
    DirichletBound one = new DirichletBound.ReplaceOne();
    assertThat(new DirichletBound.ReplaceWeighted(1L << 20).largest()).isEqualTo(1 << 20);
    assertThat(new DirichletBound.Statistic(4, 2).squaredL2()).isEqualTo(4);
    assertThat(new DirichletBound.LeastCount(1L << 40, one).count()).isEqualTo(1L << 40);
    assertThatThrownBy(() -> new DirichletBound.ReplaceWeighted((1L << 20) + 1))
        .hasMessageContaining("1 to 1048576");
    assertThatThrownBy(() -> new DirichletBound.Statistic(1, 0)).hasMessageContaining("1 to");
    assertThatThrownBy(() -> new DirichletBound.Statistic((1L << 50) + 1, 1))
        .hasMessageContaining("1 to");
    assertThatThrownBy(() -> new DirichletBound.Statistic(3, 2))
        .hasMessageContaining("coordinate, 4");
    assertThatThrownBy(() -> new DirichletBound.LeastCount(0, one)).hasMessageContaining("1 to");
    assertThatThrownBy(() -> new DirichletBound.LeastCount((1L << 40) + 1, one))
        .hasMessageContaining("1 to");
  }

  @Test
  void pairsAreRoundedToTheSafeSideOfTheirGrid() {
    DirichletParameters pair = DirichletParameters.rounded(0.1, 1.3);
    assertThat(pair.r()).isBetween(0.1 - 0x1.0p-30, Math.nextDown(0.1));
    assertThat(pair.a()).isBetween(Math.nextUp(1.3), 1.3 + 0x1.0p-30);
    assertThat(DirichletParameters.rounded(1, 0.01).a()).isEqualTo(0.5);
    assertThat(pair.text()).isEqualTo("r=107374182/2^30 a=1395864372/2^30");
    assertThat(new DirichletParameters(1, 1L << 29).a()).isEqualTo(0.5);
    assertThat(new DirichletParameters(1L << 50, 1L << 50).r()).isEqualTo(1 << 20);
    long[][] wrong = {{0, 1L << 30}, {(1L << 50) + 1, 1L << 30}};
    for (long[] r : wrong) {
      assertThatThrownBy(() -> new DirichletParameters(r[0], r[1]))
          .hasMessageContaining("r must be");
    }
    for (long a : new long[] {(1L << 29) - 1, (1L << 50) + 1}) {
      assertThatThrownBy(() -> new DirichletParameters(1, a)).hasMessageContaining("a must be");
    }
  }

  private static final DirichletParameters PAIR = new DirichletParameters(1L << 29, 3L << 30);

  private static KeyedRandom random() {
    return KeyedRandom.ofPublicSeed("dirichlet draws");
  }

  @Test
  void drawsGammasOfWeightsAndItemsOfAnUrn() {
    DirichletMechanism shares = new DirichletMechanism(PAIR, new DirichletBound.ReplaceOne(), 3);
    Histogram histogram = new Histogram(7, 0, 2);
    KeyedRandom random = random();
    double[] gammas = new double[3];
    double[] shapes = {6.5, 3, 4};
    Arrays.setAll(gammas, i -> GammaSampler.sample(random, shapes[i]));
    Distribution wanted = Distribution.normalised(gammas);
    Distribution drawn = (Distribution) shares.distribution(histogram).draw(random());
    long[] items =
        DirichletMultinomial.draw(random(), new long[] {7, 0, 2}, 1L << 29, 3L << 30, 1L << 30, 40);
    ItemCounts counted = (ItemCounts) shares.asCounts(40).distribution(histogram).draw(random());
    for (int i = 0; i < 3; i++) {
      assertThat(drawn.share(i)).isEqualTo(wanted.share(i));
      assertThat(counted.count(i)).isEqualTo(items[i]);
    }
    assertThat(shares.asCounts(40).charge().curve()).isEqualTo(shares.charge().curve());
    assertThatThrownBy(() -> shares.asCounts(0)).hasMessageContaining("at least 1");
    assertThat(shares.asCounts(1).distribution(histogram).draw(random()))
        .isInstanceOf(ItemCounts.class);
    assertThatThrownBy(() -> shares.distribution(new Histogram(1, 2)))
        .hasMessageContaining("planned for 3");
  }

  @Test
  void aReleaseIsFramedByAllThatItsLawDependsOn() {
    DirichletBound one = new DirichletBound.ReplaceOne();
    DirichletMechanism mechanism = new DirichletMechanism(PAIR, one, 2);
    CanonicalEncoder expected =
        new CanonicalEncoder()
            .text("dirichlet")
            .number(1L << 29)
            .number(3L << 30)
            .number(0)
            .numbers(new long[] {7, 2});
    assertThat(digest(mechanism, 7, 2)).isEqualTo(expected.digest());
    CanonicalEncoder raised =
        new CanonicalEncoder()
            .text("dirichlet")
            .number(1L << 29)
            .number(3L << 30)
            .number(9)
            .numbers(new long[] {7, 2})
            .number(5);
    DirichletMechanism least =
        new DirichletMechanism(PAIR, new DirichletBound.LeastCount(5, one), 2).asCounts(9);
    assertThat(digest(least, 7, 2)).isEqualTo(raised.digest());
  }

  private static byte[] digest(DirichletMechanism mechanism, long... counts) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    mechanism.distribution(new Histogram(counts)).encodeInput(encoder);
    return encoder.digest();
  }

  @Test
  void isChargedAndToldByItsPair() {
    DirichletBound bound = new DirichletBound.AddOrRemove(2);
    DirichletMechanism mechanism = new DirichletMechanism(PAIR, bound, 2);
    assertThat(mechanism.bound()).isSameAs(bound);
    assertThat(mechanism.categories()).isEqualTo(2);
    assertThat(mechanism.items()).isEmpty();
    assertThat(mechanism.asCounts(7).items()).hasValue(7);
    assertThat(mechanism.method()).isEqualTo("dirichlet");
    assertThat(mechanism.pair()).isEqualTo(PAIR);
    assertThat(mechanism.parameters())
        .containsEntry("r", 0.5)
        .containsEntry("alpha", 3.0)
        .hasSize(2);
    assertThat(mechanism.charge().mechanism())
        .isEqualTo("dirichlet add-or-remove-2 r=536870912/2^30 a=3221225472/2^30");
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(mechanism.charge().curve().at(2)).isEqualTo(TheoremC.divergence(2, 0.5, 3, 2));
    assertThat(mechanism.charge().profile()).isEmpty();
    assertThat(mechanism.charge().pure()).isEmpty();
    // Beta(4, 3) from Beta(3, 3) at order 2: a Dirichlet integral of whole shapes.
    // B(5, 3) B(3, 3) / B(4, 3)^2 = (1/105) (1/30) / (1/60)^2.
    double lost = mechanism.divergence(2, new Histogram(2, 0), new Histogram(0, 0)).getAsDouble();
    assertThat(lost).isCloseTo(Math.log(3600 / 3150.0), within(1e-12));
  }

  /** What a least count promises: the draw never sees a count below it, and others as they are. */
  @Test
  void countsBelowTheLeastOneAreRaisedBeforeTheDraw() {
    DirichletBound one = new DirichletBound.ReplaceOne();
    DirichletMechanism least =
        new DirichletMechanism(PAIR, new DirichletBound.LeastCount(5, one), 3);
    DirichletMechanism plain = new DirichletMechanism(PAIR, one, 3);
    Distribution raised = (Distribution) least.distribution(new Histogram(0, 9, 4)).draw(random());
    Distribution wanted = (Distribution) plain.distribution(new Histogram(5, 9, 5)).draw(random());
    for (int i = 0; i < 3; i++) {
      assertThat(raised.share(i)).isEqualTo(wanted.share(i));
    }
    assertThat(least.divergence(2, new Histogram(0, 9, 4), new Histogram(3, 9, 5))).hasValue(0);
    assertThat(least.divergence(2, new Histogram(5, 9, 7), new Histogram(5, 8, 7)))
        .isEqualTo(plain.divergence(2, new Histogram(5, 9, 7), new Histogram(5, 8, 7)));
  }

  /** a = 1, r = 2: P[Beta(3, 1) > t] = 1 - t^3, P[Beta(1, 3) > t] = (1 - t)^3. */
  @Test
  void theLossIsMeasuredInWeightsOfARecord() {
    double t = 1 / (1 + Math.exp(-0.5));
    double delta = 1 - t * t * t - Math.E * Math.pow(1 - t, 3);
    assertThat(TheoremB.delta(1, 2, 1)).isCloseTo(delta, within(1e-11));
    // At order 3 a shape of 1.5 is left half: G(2)^2 G(0.5) / G(1.5)^3 = 8 / pi.
    assertThat(TheoremC.divergence(3, 0.5, 1.5, 1))
        .isCloseTo(Math.log(8 / Math.PI) / 2, within(1e-12));
  }
}
