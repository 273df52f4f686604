// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.random.KeyedRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;

/** The auditor itself: never above the truth, and near it. */
class OneRunTest {
  private static final double FAILURE = 1e-9;

  /** The largest law of a pure claim is a binomial one, and no more than that is refuted. */
  @Test
  void shouldRefuteBeyondTheBinomialTail() {
    for (double epsilon : new double[] {0.1, 1, 3}) {
      BinomialDistribution law = new BinomialDistribution(null, 100, 1 / (1 + Math.exp(-epsilon)));
      for (int right : new int[] {45, 60, 80, 90, 98}) {
        double tail = 1 - law.cumulativeProbability(right - 1);
        if (tail < 1e-10 || tail > 0.999) {
          continue; // of these 1 - x has no digits left
        }
        OneRunBound claim = OneRunBound.pure(epsilon);
        assertThat(claim.refutes(200, 100, right, tail * 0.999)).isFalse();
        assertThat(claim.refutes(200, 100, right, tail * 1.001)).isTrue();
      }
    }
  }

  /**
   * Gaussian noise of its own on every canary: right guesses are a binomial law, so that no level
   * below its tail may refute the claim, which is true.
   */
  @Test
  void shouldNeverRefuteGaussianNoise() {
    for (double mu : new double[] {0.3, 1, 2}) {
      OneRunBound claim = OneRunBound.of(PrivacyProfile.gaussian(mu));
      BinomialDistribution law = new BinomialDistribution(null, 200, Math.exp(lnPhi(mu / 2)));
      for (int right = 1; right <= 200; right += 7) {
        double truth = 1 - law.cumulativeProbability(right - 1);
        assertThat(claim.refutes(200, 200, right, truth * 0.999)).isFalse();
      }
    }
  }

  private static double lnPhi(double x) {
    return io.sfumato.accounting.StandardNormal.lnPhi(x);
  }

  /** False-alarm rate: 1e-9 a game. */
  @Test
  void shouldComeNearTheTruthOfRandomisedResponse() {
    double epsilon = 2;
    KeyedRandom random = KeyedRandom.ofPublicSeed("randomised response");
    OneRun attack = new OneRun(20_000, 1, FAILURE);
    OneRun.Played played = attack.play("responses", in -> responses(random, in, epsilon));
    assertThat(attack.epsilon(played, 0)).isBetween(1.85, epsilon);
    assertThat(attack.refutes(OneRunBound.pure(epsilon), played)).isFalse();
    assertThat(attack.refutes(OneRunBound.pure(1.8), played)).isTrue();
  }

  private static double[] responses(KeyedRandom random, boolean[] in, double epsilon) {
    double truth = 1 / (1 + Math.exp(-epsilon));
    return IntStream.range(0, in.length)
        .mapToDouble(i -> random.nextOpenDouble() < truth == in[i] ? 1 : -1)
        .toArray();
  }

  /**
   * Far below the truth: a claim of Gaussian noise lets right guesses go together, as an attacker
   * without knowledge of the mechanism must allow for. False-alarm rate: 1e-9 a game.
   */
  @Test
  void shouldSeePartOfTheTruthOfGaussianNoise() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("noise");
    OneRun attack = new OneRun(2000, 3, FAILURE);
    OneRun.Played played = attack.play("noise", in -> noisy(random, in, 2));
    assertThat(attack.gaussianMu(played, OneRunBound::of)).isBetween(0.7, 2.0);
    assertThat(attack.refutes(OneRunBound.of(PrivacyProfile.gaussian(2)), played)).isFalse();
  }

  /**
   * Noise of its own on every canary, and an attacker's bound that knows it: one run is enough.
   * False-alarm rate: 1e-9 a game.
   */
  @Test
  void shouldComeNearTheTruthWhereCanariesAreApart() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("noise apart");
    OneRun attack = new OneRun(20_000, 1, FAILURE);
    OneRun.Played played = attack.play("apart", in -> noisy(random, in, 2));
    assertThat(attack.gaussianMu(played, OneRunBound::apart)).isBetween(1.85, 2.0);
    assertThat(attack.refutes(OneRunBound.apart(PrivacyProfile.gaussian(2)), played)).isFalse();
    assertThat(attack.gaussianMu(played, OneRunBound::of)).isLessThan(1);
  }

  /** All guesses: right ones are a binomial law, which is the largest there is. */
  @Test
  void shouldBeTheBinomialLawWhereAllAreGuessed() {
    for (double mu : new double[] {0.3, 1, 2}) {
      ApartOneRun claim = new ApartOneRun(PrivacyProfile.gaussian(mu));
      BinomialDistribution law = new BinomialDistribution(null, 200, Math.exp(lnPhi(mu / 2)));
      for (int right = 60; right <= 200; right += 7) {
        double truth = 1 - law.cumulativeProbability(right - 1);
        if (truth > 1e-10) {
          assertThat(claim.chance(200, 200, right)).isBetween(truth, truth * 1.2 + 1e-3 * truth);
        }
      }
    }
  }

  /** A claim's own profile is not below it anywhere, and near it. */
  @Test
  void shouldTakeAProfileFromAClaim() {
    PrivacyProfile truth = PrivacyProfile.gaussian(1);
    PrivacyProfile taken = PrivacyClaim.of(truth).profile();
    for (double epsilon = 0; epsilon < 6; epsilon += 0.37) {
      assertThat(taken.delta(epsilon)).isBetween(truth.delta(epsilon), truth.delta(epsilon) * 1.07);
    }
    assertThat(PrivacyClaim.pure(1).profile().delta(1)).isZero();
    assertThat(PrivacyClaim.pure(1).profile().delta(0.99)).isEqualTo(1);
  }

  /** Some of them, where leaks tell everything of a few: the sum over every number of leaks. */
  @Test
  void shouldSumOverLeaksWhereSomeAreGuessed() {
    double delta = 0.1;
    int m = 60;
    int r = 12;
    ApartOneRun claim = new ApartOneRun(epsilon -> delta);
    BinomialDistribution leaks = new BinomialDistribution(null, m, delta);
    for (int right = 1; right <= r; right++) {
      double truth = 0;
      for (int told = 0; told <= m; told++) {
        int guessed = r - Math.min(r, told);
        int missing = right - (r - guessed);
        truth +=
            leaks.probability(told)
                * (missing <= 0
                    ? 1
                    : 1
                        - new BinomialDistribution(null, guessed, 0.5)
                            .cumulativeProbability(missing - 1));
      }
      assertThat(claim.chance(m, r, right)).isBetween(truth * (1 - 1e-9), truth * 1.15);
    }
  }

  /** A mechanism that breaks with probability delta must not be found to break more often. */
  @Test
  void shouldAllowForWhatADeltaAllows() {
    double delta = 0.1;
    KeyedRandom random = KeyedRandom.ofPublicSeed("leaks");
    OneRun attack = new OneRun(2000, 3, FAILURE);
    OneRun.Played played =
        attack.play(
            "leaks",
            in -> {
              double[] scores = new double[in.length];
              for (int i = 0; i < in.length; i++) {
                boolean told = random.nextOpenDouble() < delta;
                boolean coin = random.nextLong() < 0;
                scores[i] = told ? in[i] ? 9 : -9 : coin ? 0.1 : -0.1;
              }
              return scores;
            });
    PrivacyProfile truth = epsilon -> delta;
    PrivacyProfile rare = epsilon -> 1e-6;
    assertThat(attack.refutes(OneRunBound.of(truth), played)).isFalse();
    assertThat(attack.refutes(OneRunBound.of(rare), played)).isTrue();
  }

  private static double[] noisy(KeyedRandom random, boolean[] in, double mu) {
    return IntStream.range(0, in.length)
        .mapToDouble(i -> random.nextStandardGaussian() + (in[i] ? mu / 2 : -mu / 2))
        .toArray();
  }
}
