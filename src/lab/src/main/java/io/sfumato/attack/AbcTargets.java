// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.CountTargets.DELTA;
import static io.sfumato.attack.CountTargets.EPSILON;
import static io.sfumato.attack.CountTargets.PROMISE;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.abc.NoisyAnswer;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.RejectionPlan;
import io.sfumato.mechanism.abc.RejectionQueries;
import io.sfumato.mechanism.abc.RejectionQueries.Contract;
import io.sfumato.mechanism.abc.SoftQueries;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.mechanism.abc.SparseVectorQueries;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.util.CombinatoricsUtils;

/** Answers to a modeller's candidates. */
public final class AbcTargets {
  static final double SENSITIVITY = 0.02;
  static final double THRESHOLD = 0.2;
  private static final double BOUND = RejectionCoin.clip(THRESHOLD);
  static final int CANDIDATES = 20;

  /** Places of a distance that are looked at for the worst one. */
  private static final int PLACES = 400;

  private static final String MOVED = "every distance moved by D";
  static final AttackTarget.Promise PURE = AttackTarget.Promise.of(1, 0);

  private AbcTargets() {}

  /** All of them. */
  public static List<AttackTarget> all() {
    double mu = GaussianBudget.mu(EPSILON, DELTA, Accountant.EXACT);
    RejectionQueries gaussian = new RejectionQueries(BOUND, THRESHOLD, new Contract.Gaussian(mu));
    RejectionQueries paper = new RejectionQueries(BOUND, THRESHOLD, new Contract.Paper(EPSILON));
    return List.of(
        coins("accept, exact", oneCoin(), 1, PURE, PrivacyClaim.pure(1)),
        coins(
                "accept, composed",
                RejectionPlan.composed(EPSILON, DELTA, CANDIDATES, SENSITIVITY, BOUND, THRESHOLD),
                CANDIDATES,
                PROMISE,
                new PrivacyClaim(delta -> delta < PROMISE.delta() ? Double.POSITIVE_INFINITY : 1))
            .because("charged for the worst distance at every loss, and no distance is that"),
        coins(
                "accept, as a Gaussian",
                gaussian.noise(SENSITIVITY, CANDIDATES),
                CANDIDATES,
                PROMISE,
                PrivacyClaim.of(gaussian.charge()))
            .because("a coin tells less than the noise that it stands for"),
        coins(
                "accept, the paper's",
                paper.noise(SENSITIVITY, CANDIDATES),
                CANDIDATES,
                PURE,
                PrivacyClaim.of(paper.charge()))
            .because("the paper's Theorem 3.1"),
        soft(new SoftQueries(THRESHOLD, mu)),
        sparse(Threshold.KEPT, 1),
        sparse(Threshold.KEPT, 2),
        sparse(Threshold.REDRAWN, 2));
  }

  /** One answer, purely epsilon. */
  public static RejectionCoin oneCoin() {
    return RejectionPlan.single(EPSILON, SENSITIVITY, BOUND, THRESHOLD, Accountant.EXACT);
  }

  /** So many candidates, all at the one distance at which they tell most. */
  public static AttackTarget coins(
      String name,
      RejectionCoin coin,
      int candidates,
      AttackTarget.Promise promise,
      PrivacyClaim claim) {
    double worst = 0;
    double most = -1;
    for (int i = 0; i <= PLACES; i++) {
      double rho = (coin.bound() - SENSITIVITY) * i / PLACES;
      double found = heads(coin, rho, candidates).epsilon(promise.delta());
      if (found > most) {
        most = found;
        worst = rho;
      }
    }
    double near = worst;
    return new AttackTarget(
        name + (candidates == 1 ? ", 1 candidate" : ", " + candidates + " candidates"),
        MOVED,
        promise,
        claim,
        Optional.of(() -> heads(coin, near, candidates)),
        Optional.of(draws(coin, near, near + SENSITIVITY, candidates)),
        Optional.empty(),
        "");
  }

  /** How many are accepted of candidates at two distances. */
  public static AttackTarget.Draws draws(
      RejectionCoin coin, double rho, double other, int candidates) {
    OutputDistribution<NoisyAnswer> near = coin.answer(rho, Optional.empty());
    OutputDistribution<NoisyAnswer> far = coin.answer(other, Optional.empty());
    return new AttackTarget.Draws(
        random -> {
          double sum = 0;
          for (int i = 0; i < candidates; i++) {
            sum += near.draw(random).outcome();
          }
          return sum;
        },
        random -> {
          double sum = 0;
          for (int i = 0; i < candidates; i++) {
            sum += far.draw(random).outcome();
          }
          return sum;
        });
  }

  /** Of both directions the one that tells more is that of the larger quotient of its atoms. */
  private static Events heads(RejectionCoin coin, double rho, int candidates) {
    double p = coin.acceptance(rho);
    double q = coin.acceptance(rho + SENSITIVITY);
    List<Events.Atom> atoms = new ArrayList<>();
    List<Events.Atom> swapped = new ArrayList<>();
    for (int k = 0; k <= candidates; k++) {
      double x = binomial(candidates, k, p);
      double y = binomial(candidates, k, q);
      atoms.add(new Events.Atom(x, y));
      swapped.add(new Events.Atom(y, x));
    }
    Events one = Events.of(atoms);
    Events other = Events.of(swapped);
    double delta = candidates == 1 ? 0 : PROMISE.delta();
    return one.epsilon(delta) >= other.epsilon(delta) ? one : other;
  }

  private static double binomial(int n, int k, double p) {
    return StrictMath.exp(
        CombinatoricsUtils.binomialCoefficientLog(n, k)
            + k * StrictMath.log(p)
            + (n - k) * StrictMath.log1p(-p));
  }

  /** All distances move alike. */
  private static AttackTarget soft(SoftQueries plan) {
    return soft(plan.noise(SENSITIVITY, CANDIDATES), plan.charge());
  }

  /** The same of any noise. */
  public static AttackTarget soft(SoftWeights noise, PrivacyCost charge) {
    double sigma = noise.scale();
    // In units of distances: steps of the grid are as good as none.
    double mu = SENSITIVITY / sigma * Math.sqrt(CANDIDATES);
    return new AttackTarget(
        "soft, " + CANDIDATES + " candidates",
        MOVED,
        PROMISE,
        PrivacyClaim.of(charge),
        Optional.of(() -> new DiscreteGaussianLaw(1e9).events(new long[] {Math.round(mu * 1e9)})),
        Optional.of(
            new AttackTarget.Draws(
                random -> sum(noise, THRESHOLD + SENSITIVITY, random),
                random -> sum(noise, THRESHOLD, random))),
        Optional.empty(),
        "");
  }

  private static double sum(SoftWeights noise, double rho, KeyedRandom random) {
    OutputDistribution<NoisyAnswer> distribution = noise.answer(rho, Optional.empty());
    double sum = 0;
    for (int i = 0; i < CANDIDATES; i++) {
      sum += distribution.draw(random).outcome();
    }
    return sum;
  }

  private static AttackTarget sparse(Threshold mode, long acceptances) {
    SparseVectorQueries plan = new SparseVectorQueries(THRESHOLD, EPSILON, acceptances, mode);
    return SparseTarget.of(plan, plan, SENSITIVITY);
  }
}
