// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.estimate.ClopperPearson;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * A lower bound of epsilon from many draws of two neighbours (Ding, Wang, Wang, Zhang, Kifer 2018;
 * Jagielski, Ullman, Oprea 2020): half of the draws choose a threshold of the score, the other half
 * count, and {@code epsilon >= ln((P[E] - delta) / Q[E])} by Clopper and Pearson's bounds.
 *
 * @param draws of each neighbour, at least 1000
 * @param failure chance that the bound is above the truth, in (0, 1)
 */
public record SampledBound(int draws, double failure) {
  private static final int THRESHOLDS = 300;
  private static final double DEVIATIONS = 6;

  public SampledBound {
    if (draws < 1000 || !(failure > 0 && failure < 1)) {
      throw new IllegalArgumentException(
          "at least 1000 draws and a failure in (0, 1), were " + draws + ", " + failure);
    }
  }

  /** Scores of draws of both neighbours: the first half chooses, the second half counts. */
  public record Scores(double[] first, double[] second) {
    public Scores {
      first = first.clone();
      second = second.clone();
    }

    @Override
    public double[] first() {
      return first.clone();
    }

    @Override
    public double[] second() {
      return second.clone();
    }
  }

  /** Draws of both, with one public seed. */
  public Scores scores(
      String seed, ToDoubleFunction<KeyedRandom> first, ToDoubleFunction<KeyedRandom> second) {
    KeyedRandom random = KeyedRandom.ofPublicSeed(seed);
    double[] ofFirst = new double[draws];
    double[] ofSecond = new double[draws];
    for (int i = 0; i < draws; i++) {
      ofFirst[i] = first.applyAsDouble(random);
      ofSecond[i] = second.applyAsDouble(random);
    }
    return new Scores(ofFirst, ofSecond);
  }

  /** The bound at a delta, at least 0: of the better one of both directions. */
  public double epsilon(Scores scores, double delta) {
    double[] first = scores.first();
    double[] second = scores.second();
    return Math.max(
        oneWay(first, second, delta, failure / 2),
        oneWay(negated(second), negated(first), delta, failure / 2));
  }

  private static double[] negated(double[] scores) {
    return Arrays.stream(scores).map(score -> -score).toArray();
  }

  private static double oneWay(double[] first, double[] second, double delta, double failure) {
    int half = first.length / 2;
    double[] choose = Arrays.copyOfRange(first, 0, half);
    double[] chooseOther = Arrays.copyOfRange(second, 0, half);
    Arrays.sort(choose);
    Arrays.sort(chooseOther);
    double best = choose[0];
    double most = -1;
    for (int i = 0; i <= THRESHOLDS; i++) {
      // Geometric in the tail's chance: from all draws to a few.
      double tail = StrictMath.pow(half, -i / (double) (THRESHOLDS + 1));
      double threshold = choose[Math.min(half - 1, (int) (half * (1 - tail)))];
      double found = roughly(from(choose, threshold), from(chooseOther, threshold), half, delta);
      if (found > most) {
        most = found;
        best = threshold;
      }
    }
    double[] count = Arrays.copyOfRange(first, half, first.length);
    double[] countOther = Arrays.copyOfRange(second, half, second.length);
    Arrays.sort(count);
    Arrays.sort(countOther);
    return bound(from(count, best), from(countOther, best), count.length, delta, failure);
  }

  /** How many are at least so much, of sorted ones. */
  private static long from(double[] sorted, double threshold) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < threshold) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return sorted.length - low;
  }

  /** A choice needs no proof: Wilson's bounds, which are quick. */
  private static double roughly(long hits, long others, long draws, double delta) {
    double p = wilson(hits, draws, -DEVIATIONS) - delta;
    return p <= 0 ? -1 : StrictMath.log(p / wilson(others, draws, DEVIATIONS));
  }

  private static double wilson(long hits, long draws, double z) {
    double n = draws;
    double share = hits / n;
    double root = Math.sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return (share + z * z / (2 * n) + z * root) / (1 + z * z / n);
  }

  private static double bound(long hits, long others, long draws, double delta, double failure) {
    double p = ClopperPearson.lower(hits, draws, failure / 2) - delta;
    double q = ClopperPearson.upper(others, draws, failure / 2);
    return p <= 0 ? 0 : Math.max(0, StrictMath.log(p / q));
  }
}
