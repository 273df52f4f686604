// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.abc.RejectionQueries.Contract;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.DiscreteGaussian;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What queries are charged and how much noise they get for it, at the ends of what is allowed. */
class QueriesAtLimitsTest {
  private static final double D = 0.002;
  private static final double THRESHOLD = 0.2;
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
  private static final Optional<State> NONE = Optional.empty();

  /** sigma = D sqrt(T) / mu with 60 digits: never less, and no more than roundings ask for. */
  @Test
  void gaussianNoiseIsNeverRoundedBelowItsBudget() {
    MathContext digits = new MathContext(60);
    for (long candidates : new long[] {1, 2, 3, 200, 999_983}) {
      for (double mu : new double[] {1e-3, 0.3, 1, 7.1}) {
        for (double sensitivity : new double[] {1e-9, 0.7, 3}) {
          BigDecimal exact =
              new BigDecimal(sensitivity)
                  .multiply(BigDecimal.valueOf(candidates).sqrt(digits))
                  .divide(new BigDecimal(mu), digits);
          BigDecimal found = new BigDecimal(GaussianBudget.sigma(mu, candidates, sensitivity));
          assertThat(found).isBetween(exact, exact.multiply(new BigDecimal("1.000000000000003")));
        }
      }
    }
    assertThatThrownBy(() -> GaussianBudget.sigma(1, 0, 1)).hasMessageContaining("at least 1");
    for (double sensitivity : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> GaussianBudget.sigma(1, 1, sensitivity))
          .hasMessageContaining("sensitivity must be above 0");
    }
    assertThatThrownBy(() -> GaussianBudget.mu(Epsilon.of("1"), Delta.of("1e-6"), Accountant.PAPER))
        .hasMessageContaining("exact and renyi");
  }

  /**
   * delta(eps) of a coin by trying every distance: heads and tails, one way and the other. The
   * bounds are such that a maximum within the range decides, and each of its ends.
   */
  @ParameterizedTest
  @CsvSource({
    "0.4, 0.2, 0.05, 0.3", "0.4, 0.2, 0.05, 1", "2, 0.2, 0.1, 0.1", "0.2, 0.2, 0.1, 0.2",
    "0.2, 0.2, 0.1, 0.9", "2, 0.2, 0.1, 3", "0.25, 0.2, 0.3, 0.01", "0.3, 0.2, 0.02, 2.5",
    "2, 0.2, 1, 0.075", "0.2, 0.2, 0.1, 0.01",
  })
  void aCoinsProfileIsThatOfItsWorstPairOfDistances(
      double bound, double threshold, double sigma, double epsilon) {
    double moved = 0.04;
    int steps = 20_000;
    double worst = 0;
    for (int i = 0; i <= steps; i++) {
      double rho = (bound - moved) * i / steps;
      double near = (threshold - rho) / sigma;
      double far = (threshold - rho - moved) / sigma;
      double heads =
          NORMAL.cumulativeProbability(near)
              - Math.exp(epsilon) * NORMAL.cumulativeProbability(far);
      double tails =
          NORMAL.survivalProbability(far) - Math.exp(epsilon) * NORMAL.survivalProbability(near);
      worst = Math.max(worst, Math.max(heads, tails));
    }
    PrivacyProfile profile = new RejectionCoin(moved, bound, threshold, sigma).profile();
    assertThat(profile.delta(epsilon))
        .isGreaterThanOrEqualTo(worst)
        .isCloseTo(worst, within(3e-8 * worst + 1e-12));
  }

  /** The pure epsilon against every pair of distances: never exceeded, and attained. */
  @ParameterizedTest
  @CsvSource({"2, 0.05", "0.4, 0.02", "0.4, 1", "0.21, 0.01"})
  void pureEpsilonIsTheLargestLogRatio(double bound, double sigma) {
    RejectionCoin coin = new RejectionCoin(D, bound, THRESHOLD, sigma);
    double largest = 0;
    for (int i = 0; i <= 10_000; i++) {
      double rho = (bound - D) * i / 10_000;
      double near = (THRESHOLD - rho) / sigma;
      double far = (THRESHOLD - rho - D) / sigma;
      largest = Math.max(largest, StandardNormal.lnPhi(near) - StandardNormal.lnPhi(far));
      largest = Math.max(largest, StandardNormal.lnPhi(-far) - StandardNormal.lnPhi(-near));
    }
    assertThat(coin.epsilon()).isGreaterThanOrEqualTo(largest).isCloseTo(largest, within(1e-9));
    assertThat(coin.paperEpsilon()).isGreaterThanOrEqualTo(coin.epsilon() * (1 - 1e-9));
  }

  /** Nearly nothing to spend is refused, and not planned with nearly infinite noise. */
  @Test
  void aBudgetOfNextToNothingIsRefused() {
    // At epsilon 0 a Gaussian has a delta of mu / sqrt(2 pi), and 5e-14 more for its roundings.
    assertThatThrownBy(
            () -> GaussianBudget.mu(Epsilon.of("1e-30"), Delta.of("4.28e-13"), Accountant.EXACT))
        .as("between 2^-40, where halving comes by, and the least")
        .hasMessageContaining("no noise scale meets this target");
    assertThat(GaussianBudget.mu(Epsilon.of("1e-30"), Delta.of("5e-13"), Accountant.EXACT))
        .isBetween(1e-12, 1.25e-12);
  }

  /** Theorem 3.1 of the paper: min(1, D / (s sqrt(2 pi))) over the least chance of an answer. */
  @ParameterizedTest
  @CsvSource({"0.4, 0.05", "2, 0.5", "0.25, 0.05", "0.3, 0.02"})
  void thePapersEpsilonIsThatOfItsTheorem(double bound, double sigma) {
    double shift = Math.min(1, D / (sigma * Math.sqrt(2 * Math.PI)));
    double least = Math.min(THRESHOLD - bound, -THRESHOLD) / sigma;
    double exact = shift / NORMAL.cumulativeProbability(least);
    assertThat(new RejectionCoin(D, bound, THRESHOLD, sigma).paperEpsilon())
        .isCloseTo(exact, within(1e-10 * exact));
  }

  /** Far out, differences of logarithms lose what a pure epsilon must have room for. */
  @Test
  void aCoinsPureEpsilonHasRoomForItsRoundings() {
    RejectionCoin wide = new RejectionCoin(0.4, 0.4, 0.2, 0.01);
    double lost = StandardNormal.lnPhi(20) - StandardNormal.lnPhi(-20);
    assertThat(wide.epsilon()).isBetween(lost * (1 + 9e-13), lost * (1 + 2e-12));
    RejectionCoin narrow = new RejectionCoin(1e-9, 0.45, 0.2, 0.01);
    double heads = StandardNormal.lnPhi(-25 + 1e-7) - StandardNormal.lnPhi(-25);
    double digits = -StandardNormal.lnPhi(-25) - StandardNormal.lnPhi(-20);
    assertThat(narrow.epsilon() - heads).isBetween(0x1.3p-46 * digits, 0x1.0p-45 * digits);
  }

  @Test
  void aCoinsDistancesAreWithinTheirBound() {
    assertThat(new RejectionCoin(0.4, 0.4, 0.4, 1).scale()).isEqualTo(1);
    assertRefused(0, 0.4, 0.2, 1, "sensitivity");
    assertRefused(Double.NaN, 0.4, 0.2, 1, "sensitivity");
    assertRefused(0.1, Double.POSITIVE_INFINITY, 0.2, 1, "sensitivity");
    assertRefused(0.1, 0.4, 0, 1, "threshold");
    assertRefused(0.1, 0.4, Math.nextUp(0.4), 1, "threshold");
    assertRefused(0.1, 0.4, 0.2, 0, "sigma");
    assertRefused(0.1, 0.4, 0.2, Double.POSITIVE_INFINITY, "sigma");
    assertRefused(0.5, 0.4, 0.2, 1, "bound");
    assertThat(RejectionCoin.clip(0.3)).isEqualTo(0.6);
  }

  private static void assertRefused(double d, double bound, double threshold, double s, String w) {
    assertThatThrownBy(() -> new RejectionCoin(d, bound, threshold, s))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(w);
  }

  /** Hundreds of deviations below the threshold a candidate is accepted, and above it it is not. */
  @Test
  void nearCandidatesAreAcceptedAndFarOnesAreNot() {
    RejectionCoin coin = new RejectionCoin(D, 0.4, THRESHOLD, 1e-4);
    KeyedRandom random = KeyedRandom.ofPublicSeed("near and far");
    for (int i = 0; i < 20; i++) {
      assertThat(coin.answer(0.1, NONE).draw(random).outcome()).isEqualTo(1);
      assertThat(coin.answer(0.3, NONE).draw(random).outcome()).isZero();
    }
  }

  /** Of two coins: the larger sum over heads and tails of p^L q^(1 - L), by its logarithm. */
  @Test
  void whatACoinLosesIsTheDivergenceOfTwoBiases() {
    RejectionCoin coin = new RejectionCoin(0.1, 0.4, 0.2, 0.1);
    double p = NORMAL.cumulativeProbability(1);
    double q = NORMAL.cumulativeProbability(0.5);
    double exact = Math.log(p * p / q + (1 - p) * (1 - p) / (1 - q));
    assertThat(coin.divergence(2, 0.1, 0.15)).hasValueCloseTo(exact, within(1e-12));
  }

  /** As little noise as the budget allows: with a little less of it the answer costs more. */
  @ParameterizedTest
  @CsvSource({"EXACT, 0.1", "EXACT, 3", "PAPER, 0.1", "PAPER, 3"})
  void aSingleAnswerHasTheLeastNoiseOfItsEpsilon(Accountant accountant, String epsilon) {
    double eps = Epsilon.of(epsilon).roundedDown();
    RejectionCoin coin = RejectionPlan.single(Epsilon.of(epsilon), 0.002, 0.4, 0.2, accountant);
    RejectionCoin less = new RejectionCoin(0.002, 0.4, 0.2, coin.sigma() * (1 - 1e-9));
    assertThat(accountant == Accountant.EXACT ? coin.epsilon() : coin.paperEpsilon())
        .isLessThanOrEqualTo(eps);
    assertThat(accountant == Accountant.EXACT ? less.epsilon() : less.paperEpsilon())
        .isGreaterThan(eps);
  }

  /** Two answers at a delta have less noise than at half the epsilon each, and no less. */
  @Test
  void answersTogetherHaveTheLeastNoiseOfTheirBudget() {
    RejectionCoin coin =
        RejectionPlan.composed(Epsilon.of("1"), Delta.of("1e-6"), 2, 0.002, 0.4, 0.2);
    double half =
        RejectionPlan.single(Epsilon.of("0.5"), 0.002, 0.4, 0.2, Accountant.EXACT).sigma();
    assertThat(coin.sigma()).isLessThan(half);
    assertThat(together(coin)).isLessThanOrEqualTo(1e-6);
    double narrower = coin.sigma() * (1 - 1e-5);
    assertThat(together(new RejectionCoin(0.002, 0.4, 0.2, narrower))).isGreaterThan(1e-6);
  }

  /** At next to no delta nothing is better than half the pure epsilon each. */
  @Test
  void answersTogetherAreNeverWorseThanTheirPureLosses() {
    RejectionCoin coin =
        RejectionPlan.composed(Epsilon.of("1"), Delta.of("1e-30"), 2, 0.002, 0.4, 0.2);
    double half =
        RejectionPlan.single(Epsilon.of("0.5"), 0.002, 0.4, 0.2, Accountant.EXACT).sigma();
    assertThat(coin.sigma()).isBetween(half * (1 - 1e-4), half * (1 + 2e-6));
  }

  private static double together(RejectionCoin coin) {
    return PldAccountant.of(coin.profile(), 2, Precision.FINE).delta(1, 1e-6);
  }

  @Test
  void whatNoNoiseIsEnoughForIsRefused() {
    assertThatThrownBy(() -> RejectionPlan.single(Epsilon.of("1e-30"), 1, 1, 1, Accountant.EXACT))
        .hasMessageContaining("no noise scale meets this target");
    assertThatThrownBy(() -> RejectionPlan.single(Epsilon.of("1"), 1, 1, 1, Accountant.RENYI))
        .hasMessageContaining("exact and paper");
    double one = RejectionPlan.single(Epsilon.of("1"), 1, 1, 1, Accountant.EXACT).sigma();
    assertThat(RejectionPlan.single(Epsilon.of("1"), 1e9, 1e9, 1e9, Accountant.EXACT).sigma())
        .as("in whatever unit")
        .isCloseTo(1e9 * one, within(1e-2 * one));
    assertThat(RejectionPlan.single(Epsilon.of("1e-6"), 1, 1, 1, Accountant.EXACT).sigma())
        .as("a hundred thousand times the bound, and more")
        .isGreaterThan(1e5);
  }

  private static double delta(PrivacyCost charge, double epsilon) {
    return charge.profile().orElseThrow().delta(epsilon);
  }

  /** One Gaussian release for all candidates: its charge, and noise of no less than that. */
  @Test
  void rejectionsAreChargedAsOneGaussian() {
    RejectionQueries queries = new RejectionQueries(0.4, 0.2, new Contract.Gaussian(0.5));
    assertThat(queries.method()).isEqualTo("rejection");
    assertThat(queries.parameters()).isEqualTo(Map.of("threshold", 0.2, "clip", 0.4, "mu", 0.5));
    PrivacyCost charge = queries.charge();
    assertThat(charge.mechanism())
        .isEqualTo(
            "rejection-query gaussian mu=0x1.0p-1"
                + " threshold=0x1.999999999999ap-3 B=0x1.999999999999ap-2");
    assertThat(charge.unit()).isEqualTo(PrivacyUnit.RECORD);
    assertThat(charge.curve().at(4)).isCloseTo(0.5, within(1e-12));
    assertThat(delta(charge, 1)).isEqualTo(PrivacyProfile.gaussian(0.5).delta(1));
    RejectionCoin coin = queries.noise(0.002, 9);
    assertThat(coin).isEqualTo(new RejectionCoin(0.002, 0.4, 0.2, coin.sigma()));
    assertThat(coin.sigma()).isCloseTo(0.002 * 3 / 0.5, within(1e-15));
    assertThat(queries.noise(7, 9))
        .as("no distance moves by more than its clip")
        .isEqualTo(queries.noise(0.4, 9));
  }

  /** An equal part of epsilon for each candidate, rounded down. */
  @Test
  void rejectionsOfThePaperAreChargedTheirEpsilon() {
    RejectionQueries queries =
        new RejectionQueries(0.4, 0.2, new Contract.Paper(Epsilon.of("0.7")));
    assertThat(queries.parameters().get("epsilon")).isEqualTo(Epsilon.of("0.7").roundedDown());
    assertThat(queries.parameters()).containsOnlyKeys("threshold", "clip", "epsilon");
    assertThat(queries.charge().mechanism()).startsWith("rejection-query paper epsilon=0.7 ");
    assertThat(queries.charge().unit()).isEqualTo(PrivacyUnit.RECORD);
    assertThat(new BigDecimal(queries.charge().pure().orElseThrow()))
        .isBetween(new BigDecimal("0.7"), new BigDecimal("0.7000000000000002"));
    for (long candidates : new long[] {1, 3, 7}) {
      RejectionCoin coin = queries.noise(0.002, candidates);
      assertThat(candidates * coin.paperEpsilon()).isBetween(0.7 * (1 - 1e-9), 0.7);
      assertThat(coin.sensitivity()).isEqualTo(0.002);
    }
  }

  @Test
  void softWeightsAreChargedAsOneGaussian() {
    SoftQueries queries = new SoftQueries(0.25, 0.5);
    assertThat(queries.method()).isEqualTo("soft");
    assertThat(queries.parameters()).isEqualTo(Map.of("threshold", 0.25, "mu", 0.5));
    assertThat(queries.charge().mechanism())
        .isEqualTo("soft-query gaussian mu=0x1.0p-1 threshold=0x1.0p-2");
    assertThat(queries.charge().unit()).isEqualTo(PrivacyUnit.RECORD);
    assertThat(queries.charge().curve().at(4)).isCloseTo(0.5, within(1e-12));
    assertThat(queries.noise(0.01, 30).scale())
        .isEqualTo(SoftWeights.of(0.5, 30, 0.01, 0.25).scale());
  }

  @ParameterizedTest
  @EnumSource(Threshold.class)
  void sparseVectorsAreChargedTheirEpsilon(Threshold mode) {
    SparseVectorQueries queries = new SparseVectorQueries(0.25, Epsilon.of("0.7"), 3, mode);
    assertThat(queries.method()).isEqualTo("sparse-vector");
    assertThat(queries.parameters())
        .isEqualTo(
            Map.of(
                "threshold", 0.25, "epsilon", Epsilon.of("0.7").roundedDown(), "acceptances", 3.0));
    assertThat(queries.charge().mechanism())
        .isEqualTo(
            "sparse-vector-query %s epsilon=0.7 c=3 threshold=0x1.0p-2",
            mode == Threshold.KEPT ? "kept" : "redrawn");
    assertThat(queries.charge().unit()).isEqualTo(PrivacyUnit.RECORD);
    assertThat(new BigDecimal(queries.charge().pure().orElseThrow()))
        .isBetween(new BigDecimal("0.7"), new BigDecimal("0.7000000000000002"));
    assertThat(queries.noise(0.01, 30).scale())
        .isEqualTo(SparseVector.plan(Epsilon.of("0.7"), 3, 0.01, 0.25, mode).scale());
  }

  /** Variance in squared steps: (moved steps)^2 T / mu^2, and 16 for what is discrete. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 100, 0.002, 0.2",
    "3, 1, 1, 1",
    "0.05, 9, 0.3, 0.01",
    "1, 200, 1e-9, 3",
    "0.02, 7, 5, 0.1"
  })
  void softWeightsHaveTheVarianceOfTheirGridAndTheBridge(
      double mu, long candidates, double sensitivity, double threshold) {
    SoftWeights soft = SoftWeights.of(mu, candidates, sensitivity, threshold);
    double step = soft.distance(1);
    double moved = Math.ceil(sensitivity / threshold / step) + 1;
    double needed = moved * moved * candidates / (mu * mu) + 16;
    double variance = Math.pow(soft.scale() / threshold / step, 2);
    assertThat(variance).isBetween(needed * (1 - 1e-14), needed * (1 + 1e-12) + 0x1.0p-9);
    assertThat(Math.sqrt(needed)).as("a grid that costs next to nothing").isBetween(4e3, 1.4e5);
    if (mu * mu < candidates && mu > 0.04) {
      assertThat(moved).isGreaterThan(1000);
    }
  }

  /** The published number is the nearest step and the noise, which the random numbers decide. */
  @Test
  void softWeightsAreTheNearestStepAndTheirNoise() {
    SoftWeights soft = SoftWeights.of(0.5, 100, 0.002, 0.2);
    double step = soft.distance(1);
    long variance = Math.round(Math.pow(soft.scale() / 0.2 / step, 2) * DiscreteGaussian.STEPS);
    KeyedRandom random = KeyedRandom.ofPublicSeed("nearest step");
    KeyedRandom same = KeyedRandom.ofPublicSeed("nearest step");
    DiscreteGaussian noise = new DiscreteGaussian(variance);
    for (double rho : new double[] {0, 1e-4, 0.1, 0.7, 3}) {
      long drawn = soft.answer(rho, NONE).draw(random).outcome();
      assertThat(drawn).isEqualTo((long) Math.rint(rho / 0.2 / step) + noise.sample(same));
    }
    double shift = Math.rint(0.3 / 0.2 / step) - Math.rint(0.1 / 0.2 / step);
    double steps = Math.pow(soft.scale() / 0.2 / step, 2);
    assertThat(soft.divergence(3, 0.3, 0.1))
        .hasValueCloseTo(3 * shift * shift / (2 * steps), within(1e-9 * shift * shift / steps));
    assertThat(soft.threshold(random)).isEmpty();
    assertThat(soft.start(NoisyThreshold::new)).isEmpty();
    assertThat(soft.isOver(NONE)).isFalse();
    assertThat(soft.after(NONE, 5, NoisyThreshold::new)).isEmpty();
    for (double threshold : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> SoftWeights.of(1, 1, 1, threshold))
          .hasMessageContaining("threshold must be above 0");
      assertThatThrownBy(() -> SparseVector.plan(Epsilon.of("1"), 1, 1, threshold, Threshold.KEPT))
          .hasMessageContaining("threshold must be above 0");
    }
  }

  /** b = 2 c D / eps and (c + 1) D / eps, of D in steps and one step more, rounded up. */
  @ParameterizedTest
  @EnumSource(Threshold.class)
  void aSparseVectorsScaleIsNeverBelowItsPlan(Threshold mode) {
    double factor = mode == Threshold.REDRAWN ? 6 : 4;
    assertThat(SparseVectorPlan.scale(Epsilon.of("2"), 3, 0.5, mode))
        .isEqualTo(Math.nextUp(factor * 0.25));
    SparseVector query = SparseVector.plan(Epsilon.of("2"), 3, 0.5, 0.2, mode);
    double step = 0x1.0p-12; // of the coarsest grid with 4,096 steps in 1 to 2
    double moved = 0.5 / step + 1;
    assertThat(query.scale() / step).isEqualTo(Math.ceil(Math.nextUp(factor * moved / 2)));
    assertThat(SparseVectorPlan.scale(Epsilon.of("2"), 1, 0.5, mode)).isGreaterThan(0.5);
    assertThatThrownBy(() -> SparseVectorPlan.scale(Epsilon.of("2"), 0, 0.5, mode))
        .hasMessageContaining("at least 1 acceptance");
    for (double sensitivity : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> SparseVectorPlan.scale(Epsilon.of("2"), 1, sensitivity, mode))
          .hasMessageContaining("sensitivity must be above 0");
    }
  }

  private static NoisyThreshold threshold(SparseVector query, String seed) {
    return query.threshold(KeyedRandom.ofPublicSeed(seed)).orElseThrow();
  }

  /** Laplace(b) on the threshold, Laplace(2b) on a distance; a tie is an acceptance. */
  @Test
  void aSparseVectorComparesInWholeSteps() {
    SparseVector query = SparseVector.plan(Epsilon.of("2"), 3, 0.5, 0.25, Threshold.KEPT);
    long scale = Math.round(query.scale() * 4096);
    KeyedRandom same = KeyedRandom.ofPublicSeed("ties");
    long noisy = 1024 + new DiscreteLaplace(scale, 1).sample(same);
    Optional<State> started = query.start(at -> threshold(query, "ties"));
    assertThat(started).hasValue(new State(noisy, 0));
    for (int i = 0; i < 50; i++) {
      String seed = "tie " + i;
      long noise = new DiscreteLaplace(2 * scale, 1).sample(KeyedRandom.ofPublicSeed(seed));
      for (int above = -1; above <= 1; above++) {
        Optional<State> state = Optional.of(new State(512 + noise - above, 0));
        assertThat(query.answer(0.125, state).draw(KeyedRandom.ofPublicSeed(seed)))
            .isEqualTo(new NoisyAnswer(above > 0 ? 0 : 1));
      }
    }
    assertThat(query.divergence(2, 0, 1)).as("no closed form").isEmpty();
  }

  /** A rejection changes nothing; an acceptance is counted, and redraws where that is planned. */
  @ParameterizedTest
  @EnumSource(Threshold.class)
  void aSparseVectorCountsAcceptancesAlone(Threshold mode) {
    SparseVector query = SparseVector.plan(Epsilon.of("2"), 2, 0.5, 0.25, mode);
    Optional<State> before = Optional.of(new State(77, 0));
    assertThat(query.after(before, 0, at -> threshold(query, "no"))).isEqualTo(before);
    Optional<State> after = query.after(before, 1, at -> threshold(query, "at " + at));
    long scale = Math.round(query.scale() * 4096);
    long redrawn = 1024 + new DiscreteLaplace(scale, 1).sample(KeyedRandom.ofPublicSeed("at 1"));
    assertThat(after).hasValue(new State(mode == Threshold.REDRAWN ? redrawn : 77, 1));
    assertThat(query.isOver(after)).isFalse();
    assertThat(query.isOver(Optional.of(new State(0, 2)))).isTrue();
    assertThat(query.isOver(NONE)).as("not even begun").isFalse();
    assertThatThrownBy(() -> query.answer(0, NONE)).as("not begun").isNotNull();
  }

  /** Its threshold is drawn of the query, whatever is asked, and paid by the query's charge. */
  @Test
  void aThresholdIsDrawnOfItsQueryAndPaidWithIt() {
    SparseVectorQueries queries =
        new SparseVectorQueries(0.2, Epsilon.of("1"), 2, Threshold.REDRAWN);
    ThresholdMechanism thresholds = new ThresholdMechanism(queries);
    assertThat(queries.paidFor()).containsExactly(queries, thresholds);
    assertThat(thresholds.charge().mechanism()).isEqualTo(queries.charge().mechanism());
    assertThat(thresholds.method()).isEqualTo("sparse-vector");
    assertThat(thresholds.parameters()).isEqualTo(queries.parameters());
    QueryInput query = queries.query(0.01, 40, 9, new byte[] {1, 2});
    assertThat(query.sensitivity()).isEqualTo(0.01);
    assertThat(thresholds.distribution(query).draw(KeyedRandom.ofPublicSeed("one")).steps())
        .isEqualTo(threshold(queries.noise(0.01, 9), "one").steps());
    CanonicalEncoder encoded = new CanonicalEncoder();
    thresholds.distribution(query).encodeInput(encoded);
    CanonicalEncoder expected = new CanonicalEncoder();
    query.encodeInput(expected);
    assertThat(encoded.toBytes()).isEqualTo(expected.bytes(new byte[] {1, 2}).toBytes());
    QueryInput other =
        new SparseVectorQueries(0.2, Epsilon.of("2"), 2, Threshold.REDRAWN)
            .query(0.01, 40, 9, new byte[0]);
    assertThatThrownBy(() -> thresholds.distribution(other))
        .hasMessage("the query belongs to another mechanism");
    Question question = new Question(other, new byte[0], 0, NONE);
    assertThatThrownBy(() -> queries.distribution(question))
        .hasMessage("the query belongs to another mechanism");
  }

  /** What pipelines draw of a question is the answer of its noise, and frames it. */
  @Test
  void aQuestionIsAnsweredByTheNoiseOfItsQuery() {
    RejectionQueries queries = new RejectionQueries(0.4, 0.2, new Contract.Gaussian(0.5));
    QueryInput query = queries.query(0.01, 7, 50, new byte[] {1, 2});
    Question near = new Question(query, new byte[] {3}, 0.1, NONE);
    Question far = new Question(query, new byte[] {3}, 0.3, NONE);
    RejectionCoin coin = queries.noise(0.01, 50);
    KeyedRandom random = KeyedRandom.ofPublicSeed("question");
    KeyedRandom same = KeyedRandom.ofPublicSeed("question");
    for (int i = 0; i < 100; i++) {
      assertThat(queries.distribution(near).draw(random))
          .isEqualTo(coin.answer(0.1, NONE).draw(same));
    }
    assertThat(queries.divergence(2, near, far)).isEqualTo(coin.divergence(2, 0.1, 0.3));
    CanonicalEncoder encoded = new CanonicalEncoder();
    queries.distribution(near).encodeInput(encoded);
    CanonicalEncoder expected =
        new CanonicalEncoder().text(queries.charge().mechanism()).number(7).number(50);
    coin.encode(expected);
    expected.bytes(new byte[] {3}).bytes(new byte[] {1, 2});
    assertThat(encoded.toBytes()).isEqualTo(expected.toBytes()).isNotEmpty();
    assertThat(near).hasToString("Question[masked]");
    assertThat(query).hasToString("QueryInput[masked]");
    RejectionQueries others = new RejectionQueries(0.4, 0.2, new Contract.Gaussian(0.6));
    assertThatThrownBy(() -> others.distribution(near))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another mechanism");
  }

  /** The coarsest and the finest grid, and whole steps of both. */
  @Test
  void gridsReachFromTheFinestToTheCoarsest() {
    assertThat(new DistanceGrid(60).step()).isEqualTo(0x1.0p-60);
    assertThat(new DistanceGrid(-200).step()).isEqualTo(0x1.0p200);
    assertThatThrownBy(() -> new DistanceGrid(61)).hasMessageContaining("-200 to 60");
    assertThatThrownBy(() -> new DistanceGrid(-200).coarser()).hasMessageContaining("-200 to 60");
    assertThat(new DistanceGrid(3).coarser()).isEqualTo(new DistanceGrid(2));
    assertThat(DistanceGrid.coarserThan(8, 8)).isEqualTo(new DistanceGrid(0));
    assertThat(DistanceGrid.coarserThan(Math.nextUp(8), 8)).isEqualTo(new DistanceGrid(-1));
    assertThat(DistanceGrid.coarserThan(Double.MAX_VALUE, 1)).isEqualTo(new DistanceGrid(-200));
    DistanceGrid grid = new DistanceGrid(2);
    assertThat(grid.steps(0)).isZero();
    assertThat(grid.steps(0.374)).isEqualTo(1);
    assertThat(grid.steps(0.376)).isEqualTo(2);
    assertThat(grid.steps(1e300)).as("what whole numbers hold").isEqualTo(1L << 62);
    for (double bad : new double[] {-0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> grid.steps(bad)).hasMessageContaining("finite and at least 0");
    }
    assertThat(grid.sensitivity(0.5)).isEqualTo(3);
    assertThat(grid.sensitivity(0.51)).isEqualTo(4);
  }
}
