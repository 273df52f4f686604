// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.mollifier.WeakLearner.Classifier;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Mollified boosted density estimation (Algorithm 1): {@code Q_t ~ Q_{t-1} exp(theta_t c_t)} with
 * {@code theta_t = (eps / (eps + 4 ln 2))^t} and c_t clipped to [-ln 2, ln 2].
 *
 * @param epsilon of one item
 * @param rounds T, at least 1
 * @param learner any
 * @param reference Q0; public
 * @param pool of Q0, public and the same for every dataset: what stands for the current density
 */
public record Boosting(
    Epsilon epsilon, int rounds, WeakLearner learner, Reference reference, List<Point> pool) {
  /** The clip: it is what makes the density private. */
  static final double CLIP = StrictMath.log(2);

  /**
   * @throws IllegalArgumentException if there is no round
   */
  public Boosting {
    if (rounds < 1) {
      throw new IllegalArgumentException("boosting has at least 1 round, was " + rounds);
    }
    pool = List.copyOf(pool);
  }

  /**
   * With a pool of {@code pool} points, drawn with a public seed.
   *
   * @param rounds T, at least 1
   * @param pool number of points, at least 1
   */
  public static Boosting of(
      Epsilon epsilon, int rounds, WeakLearner learner, Reference reference, int pool) {
    return new Boosting(epsilon, rounds, learner, reference, pool(reference, pool));
  }

  /**
   * Points of a reference, drawn with a public seed.
   *
   * @param size number of points, at least 1
   */
  public static List<Point> pool(Reference reference, int size) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("pool " + reference.text());
    return IntStream.range(0, size).mapToObj(i -> reference.draw(random)).toList();
  }

  /**
   * theta_1 ... theta_T: their sum stays below eps / (4 ln 2), whatever T.
   *
   * @param epsilon in nats, above 0
   * @param rounds T, at least 1
   */
  public static double[] thetas(double epsilon, int rounds) {
    double[] thetas = new double[rounds];
    // A little less than the ratio q, so that no rounding can lift the sum above its bound. With
    // u = 2^-53, the ratio has an error of 3 u and each product one more, so theta_t is at most
    // (q (1 - 1e-14 + 4 u))^t, below q^t at every t. And the sum of theta_t c_t, rounded, has an
    // error of u times its bound S for each of the 37 / (1 - q) terms above u S, and 2 u S for the
    // rest: less than the 1e-14 S / (1 - q) that S is below eps / 4.
    double ratio = epsilon / (epsilon + 4 * CLIP) * (1 - 1e-14);
    double theta = 1;
    for (int t = 0; t < rounds; t++) {
      theta *= ratio;
      thetas[t] = theta;
    }
    return thetas;
  }

  /**
   * What one round did.
   *
   * @param theta its step
   * @param gammaP weak-learning constant E_P[c] / c*, measured on the dataset
   * @param gammaQ weak-learning constant E_Q[-c] / c*, measured on the pool
   * @param regime of Theorem 6 (the paper's long version)
   * @param promisedDrop of KL(P, Q): theta Lambda
   */
  public record Round(
      double theta, double gammaP, double gammaQ, Regime regime, double promisedDrop) {}

  /** How well the learner tells P from Q. */
  public enum Regime {
    /** gammaQ at least 1/3: the drop is positive for sure. */
    HIGH,
    /** gammaQ in (0, 1/3). */
    LOW,
    /** No weak learner: nothing is promised. */
    NONE
  }

  /**
   * A fitted density.
   *
   * @param density private by construction
   * @param rounds that were made; fewer than T if the learner failed
   * @param failures of the learner: rounds in which it threw, returned nothing, or gave a score
   *     that is no number to a point that was looked at
   */
  public record Fit(BoostedDensity density, List<Round> rounds, int failures) {}

  /** Fits. An empty dataset gives Q0. */
  public Fit fit(List<Point> dataset) {
    double[] thetas = thetas(epsilon.roundedDown(), rounds);
    List<Classifier> classifiers = new ArrayList<>();
    List<Round> made = new ArrayList<>();
    BoostedDensity density = new BoostedDensity(reference, List.of(), thetas);
    if (dataset.isEmpty()) {
      return new Fit(density, made, 0);
    }
    WeightedPoints p = WeightedPoints.of(dataset);
    double[] exponents = new double[pool.size()];
    int failures = 0;
    for (double theta : thetas) {
      WeightedPoints q = new WeightedPoints(pool, normalised(exponents));
      Classifier classifier;
      try {
        classifier = learner.learn(p, q);
      } catch (RuntimeException e) {
        classifier = null;
      }
      if (classifier == null) {
        // Any number of rounds is allowed: what was learned so far stays.
        return new Fit(density, made, failures + 1);
      }
      failures += scoresAll(classifier, p) && scoresAll(classifier, q) ? 0 : 1;
      made.add(round(theta, classifier, p, q));
      classifiers.add(classifier);
      for (int i = 0; i < exponents.length; i++) {
        exponents[i] += theta * clipped(classifier, pool.get(i));
      }
      density = new BoostedDensity(reference, classifiers, thetas);
    }
    return new Fit(density, made, failures);
  }

  private static double[] normalised(double[] exponents) {
    double[] weights = new double[exponents.length];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = StrictMath.exp(exponents[i]);
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
    return weights;
  }

  private static Round round(
      double theta, Classifier classifier, WeightedPoints p, WeightedPoints q) {
    double largest = 0;
    double overP = 0;
    double overQ = 0;
    for (int i = 0; i < p.size(); i++) {
      double c = clipped(classifier, p.points().get(i));
      largest = Math.max(largest, Math.abs(c));
      overP += p.weights()[i] * c;
    }
    for (int i = 0; i < q.size(); i++) {
      double c = clipped(classifier, q.points().get(i));
      largest = Math.max(largest, Math.abs(c));
      overQ -= q.weights()[i] * c;
    }
    double gammaP = largest > 0 ? overP / largest : 0;
    double gammaQ = largest > 0 ? overQ / largest : 0;
    if (gammaP <= 0 || gammaQ <= 0) {
      return new Round(theta, gammaP, gammaQ, Regime.NONE, 0);
    }
    if (gammaQ >= 1.0 / 3) {
      // Lemma 14 bounds E_Q[-c] / ln 2, which is gammaQ c* / ln 2: less where c* is.
      double lambda = largest * gammaP + StrictMath.log(4 / (5 - 3 * gammaQ * largest / CLIP));
      return new Round(theta, gammaP, gammaQ, Regime.HIGH, theta * lambda);
    }
    // Equation 43, with its factor c* that the theorem's statement drops.
    double lambda = largest * (gammaP + gammaQ - largest * theta / 2);
    return new Round(theta, gammaP, gammaQ, Regime.LOW, theta * lambda);
  }

  private static boolean scoresAll(Classifier classifier, WeightedPoints sample) {
    try {
      return sample.points().stream().noneMatch(x -> Double.isNaN(classifier.score(x)));
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** A score as the density takes it: in [-ln 2, ln 2], and 0 if it is no number or none came. */
  static double clipped(Classifier classifier, Point x) {
    double score;
    try {
      score = classifier.score(x);
    } catch (RuntimeException e) {
      return 0;
    }
    return Double.isNaN(score) ? 0 : Math.max(-CLIP, Math.min(CLIP, score));
  }
}
