// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.estimate.ClopperPearson;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * An empirical lower bound of epsilon: releases of two worst-case neighbours are told apart by the
 * log-ratio of the two categories that differ. Half of the draws choose the threshold, the other
 * half count: {@code epsilon >= ln((P[E] - delta) / Q[E])} with Clopper-Pearson bounds of both.
 *
 * @param draws of each neighbour, at least 1000
 * @param failure probability that the lower bound is wrong, in (0, 1)
 */
public record Audit(long draws, double failure) {
  private static final int THRESHOLDS = 400;

  /** Large enough that noise on the counts rarely meets 0, where post-processing would hide it. */
  private static final long MANY = 100_000;

  public Audit {
    if (draws < 1000 || draws > 100_000_000) {
      throw new IllegalArgumentException("draws must be 1000 to 100000000, was " + draws);
    }
    if (!(failure > 0 && failure < 1)) {
      throw new IllegalArgumentException("failure must be above 0 and below 1, was " + failure);
    }
  }

  /**
   * What was found.
   *
   * @param epsilon lower bound, at least 0
   * @param hits draws of the first neighbour in the event
   * @param otherHits draws of the second neighbour in it
   */
  public record Finding(double epsilon, long hits, long otherHits) {}

  /** Attacks a mechanism that protects one record: the neighbour has another in its place. */
  public Finding of(
      HistogramMechanism mechanism, int categories, double delta, String seed, Runnable progress) {
    return of(mechanism, categories, OptionalInt.empty(), delta, seed, progress);
  }

  /**
   * Attacks a mechanism.
   *
   * @param added records of one user that the neighbour lacks, all of one category; empty where one
   *     record is replaced
   * @param delta with which the claim may fail
   * @param seed of the draws, public
   * @param progress runs after each draw
   */
  public Finding of(
      HistogramMechanism mechanism,
      int categories,
      OptionalInt added,
      double delta,
      String seed,
      Runnable progress) {
    // A Dirichlet draw tells most about empty categories (Theorem B); noise about any.
    long[] counts = new long[categories];
    if (!mechanism.method().equals("dirichlet")) {
      Arrays.fill(counts, MANY);
    }
    Histogram second = new Histogram(counts);
    Histogram first = second;
    for (int i = 0; i < added.orElse(1); i++) {
      first = first.plus(0);
    }
    if (added.isEmpty()) {
      second = second.plus(1);
    }
    KeyedRandom random = KeyedRandom.ofPublicSeed(seed);
    int half = (int) (draws / 2);
    double[] choose = scores(mechanism, first, half, random, progress);
    double[] chooseOther = scores(mechanism, second, half, random, progress);
    double threshold = threshold(choose, chooseOther, delta);
    long hits = above(scores(mechanism, first, half, random, progress), threshold);
    long otherHits = above(scores(mechanism, second, half, random, progress), threshold);
    return new Finding(bound(hits, otherHits, half, delta, failure / 2), hits, otherHits);
  }

  private static double[] scores(
      HistogramMechanism mechanism,
      Histogram histogram,
      int draws,
      KeyedRandom random,
      Runnable progress) {
    double[] scores = new double[draws];
    for (int i = 0; i < draws; i++) {
      scores[i] = score(mechanism.distribution(histogram).draw(random));
      progress.run();
    }
    return scores;
  }

  /** Rises with the evidence for the first neighbour. */
  private static double score(HistogramRelease release) {
    if (release instanceof ItemCounts items) {
      return items.count(0) - items.count(1);
    }
    Distribution shares = (Distribution) release;
    return Math.log(shares.share(0) / shares.share(1));
  }

  /** The threshold with the best bound on the draws that choose it. */
  private double threshold(double[] choose, double[] other, double delta) {
    Arrays.sort(choose);
    double best = choose[0];
    double most = -1;
    for (int i = 1; i <= THRESHOLDS; i++) {
      // Geometric in the tail probability: from nearly all draws to a few.
      int place =
          (int) (choose.length * (1 - Math.pow(choose.length, -i / (double) (THRESHOLDS + 1))));
      double threshold = choose[place];
      double epsilon =
          bound(
              above(choose, threshold), above(other, threshold), choose.length, delta, failure / 2);
      if (epsilon > most) {
        most = epsilon;
        best = threshold;
      }
    }
    return best;
  }

  private static long above(double[] scores, double threshold) {
    return Arrays.stream(scores).filter(score -> score > threshold).count();
  }

  private static double bound(long hits, long otherHits, long draws, double delta, double failure) {
    double p = ClopperPearson.lower(hits, draws, failure) - delta;
    double q = ClopperPearson.upper(otherHits, draws, failure);
    return p <= 0 ? 0 : Math.max(0, Math.log(p / q));
  }
}
