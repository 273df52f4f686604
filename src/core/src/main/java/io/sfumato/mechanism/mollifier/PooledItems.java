// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.random.WeightedChoice;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Items that are points of a public pool of the reference: a finite domain, whose laws are the
 * projections of estimated densities onto a band (equation 8 of the paper on private sampling).
 * Numbers, categories or both, in any dimension; nothing is tried in vain.
 *
 * @param method its word
 * @param pool of the reference; public, and the same for every dataset
 * @param estimator of density over reference at the pool's points
 * @param sampler over the pool's points, all as likely
 * @param charge of one item
 */
public record PooledItems(
    String method,
    List<Point> pool,
    RatioEstimator estimator,
    FiniteSampler sampler,
    PrivacyCost charge)
    implements ItemMechanism {
  private static final String SAMPLER = "projection";

  /** Below it no scale would lift a part of a score to its place within the range of a double. */
  private static final double LEAST_PART = 0x1.0p-900;

  public PooledItems {
    pool = List.copyOf(pool);
  }

  /**
   * With its charge, of unit dataset: any two datasets are neighbours. Purely epsilon, since the
   * laws of all of them lie in one band around the pool's, whatever was estimated.
   *
   * @param method its name, as charges have it
   * @param reference that the pool is of
   * @param estimator with its scores at the same pool
   * @throws IllegalArgumentException if the pool has fewer than 2 points, or so many that no law
   *     fits into the band
   */
  public static PooledItems of(
      String method,
      LikelihoodRatioBand band,
      Reference reference,
      List<Point> pool,
      RatioEstimator estimator) {
    double[] shares = new double[pool.size()];
    Arrays.fill(shares, 1.0 / shares.length);
    String text =
        String.format(
            Locale.ROOT,
            "%s epsilon=%s lower=%s estimator=%s pool=%d reference=%s",
            SAMPLER,
            Double.toHexString(band.epsilon()),
            Double.toHexString(band.lower()),
            estimator.text(),
            pool.size(),
            reference.text());
    return new PooledItems(
        method,
        pool,
        estimator,
        new FiniteSampler(SAMPLER, band, shares),
        PrivacyCost.pure(text, PrivacyUnit.DATASET, band.epsilon()));
  }

  @Override
  public Map<String, Double> parameters() {
    return sampler.parameters("pool", pool.size());
  }

  @Override
  public ItemLaw distribution(ItemData dataset) {
    Optional<double[]> scores = scores(dataset);
    WeightedChoice choice = new WeightedChoice(nearest(scores));
    int failures = scores.isEmpty() && !dataset.points().isEmpty() ? 1 : 0;
    return new ItemLaw(charge, dataset, random -> pool.get(choice.draw(random)), failures);
  }

  @Override
  public Optional<double[]> probabilities(ItemData dataset) {
    return Optional.of(FiniteSampler.shares(weights(dataset)));
  }

  /** The exact law, in steps of 2^-62. */
  long[] weights(ItemData dataset) {
    return nearest(scores(dataset));
  }

  /** Of no scores, the reference's. */
  private long[] nearest(Optional<double[]> scores) {
    return sampler.nearest(scores.orElseGet(sampler::reference));
  }

  /**
   * In parts of the largest. Nothing where nothing is known: of an empty dataset, of an estimator
   * that throws, and of scores that are no numbers, too large for one, or all 0.
   */
  private Optional<double[]> scores(ItemData dataset) {
    if (dataset.points().isEmpty()) {
      return Optional.empty();
    }
    double[] scores;
    try {
      scores = estimator.scores(dataset.points());
    } catch (RuntimeException e) {
      return Optional.empty();
    }
    if (scores == null || scores.length != pool.size()) {
      return Optional.empty();
    }
    double most = 0;
    for (double score : scores) {
      if (!(score >= 0) || score == Double.POSITIVE_INFINITY) {
        return Optional.empty();
      }
      most = Math.max(most, score);
    }
    if (most == 0) {
      return Optional.empty();
    }
    double[] parts = new double[scores.length];
    for (int i = 0; i < parts.length; i++) {
      double part = scores[i] / most;
      parts[i] = part < LEAST_PART ? 0 : part;
    }
    return Optional.of(parts);
  }

  /** The sampler's domain in words: never prints data. */
  @Override
  public String toString() {
    return "PooledItems[" + pool.size() + " points]";
  }
}
