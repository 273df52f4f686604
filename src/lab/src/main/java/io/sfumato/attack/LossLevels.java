// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.PrivacyProfile;
import java.util.Arrays;

/**
 * The two laws P and Q of which all that keeps to a profile in both directions is post-processing,
 * and how often each tells which of the two was drawn.
 *
 * <p>H(gamma) = sup P(E) - gamma Q(E) is convex in gamma. Of all such functions that are at most
 * delta(epsilon_j) at finitely many gamma_j = e^epsilon_j, and alike in both directions, H(1/gamma)
 * = 1 - (1 - H(gamma)) / gamma, the largest is their lower convex hull; it is at least the profile
 * everywhere, so that nothing that keeps to the profile is lost. Its laws have losses +-epsilon_j,
 * Q of them the changes of slope, and P = e^epsilon_j Q; beyond the last one they tell everything,
 * with chance delta(epsilon_n). By the symmetry |L| = epsilon_j has chance (1 + gamma_j) Q under a
 * fair coin.
 */
final class LossLevels {
  private static final double WIDEST = 24;
  private static final int PLACES = 2401;

  /** Sums of chances up to a level, the largest losses first, and of the chances to be right. */
  private double[] upTo = new double[PLACES + 2];

  private final double[] rightUpTo = new double[PLACES + 2];
  private final double[] right = new double[PLACES + 2];
  private int size;

  private LossLevels() {}

  static LossLevels of(PrivacyProfile profile) {
    double[] gammas = new double[2 * PLACES - 1];
    double[] hull = new double[gammas.length];
    int middle = PLACES - 1;
    for (int j = 0; j < PLACES; j++) {
      double epsilon = WIDEST * j / (PLACES - 1);
      double delta = profile.delta(epsilon);
      gammas[middle + j] = StrictMath.exp(epsilon);
      hull[middle + j] = delta;
      gammas[middle - j] = StrictMath.exp(-epsilon);
      hull[middle - j] = 1 - (1 - delta) * gammas[middle - j];
    }
    int[] corners = corners(gammas, hull);
    LossLevels levels = new LossLevels();
    levels.add(hull[hull.length - 1], 1);
    double slope = 0;
    for (int c = corners.length - 1; c > 0 && corners[c] >= middle; c--) {
      int at = corners[c];
      int before = corners[c - 1];
      double next = (hull[at] - hull[before]) / (gammas[at] - gammas[before]);
      double ofQ = slope - next;
      slope = next;
      levels.add(ofQ * (at == middle ? 1 : 1 + gammas[at]), gammas[at] / (1 + gammas[at]));
    }
    // What is missing to 1 is a rounding.
    levels.add(1 - levels.upTo[levels.size - 1], 0.5);
    levels.upTo = Arrays.copyOf(levels.upTo, levels.size);
    return levels;
  }

  private void add(double chance, double isRight) {
    if (chance > 0) {
      upTo[size] = chance + (size == 0 ? 0 : upTo[size - 1]);
      rightUpTo[size] = chance * isRight + (size == 0 ? 0 : rightUpTo[size - 1]);
      right[size] = isRight;
      size++;
    }
  }

  /** Places of the corners of the lower convex hull (Andrew 1979); those between are no levels. */
  private static int[] corners(double[] x, double[] y) {
    int[] kept = new int[x.length];
    int size = 0;
    for (int i = 0; i < x.length; i++) {
      while (size >= 2 && !isBelow(x, y, kept[size - 2], kept[size - 1], i)) {
        size--;
      }
      kept[size++] = i;
    }
    return Arrays.copyOf(kept, size);
  }

  /** Whether the middle one lies below the line of the others. */
  private static boolean isBelow(double[] x, double[] y, int first, int middle, int last) {
    return (y[middle] - y[first]) * (x[last] - x[first])
        < (y[last] - y[first]) * (x[middle] - x[first]);
  }

  /** The chance to be right of a loss so far down among all, the largest first. */
  double right(double share) {
    return right[level(share)];
  }

  /** Its mean over all that are larger; of none the largest. */
  double meanRight(double share) {
    if (share <= 0) {
      return right(0);
    }
    int level = level(share);
    double whole = level == 0 ? 0 : rightUpTo[level - 1];
    double from = level == 0 ? 0 : upTo[level - 1];
    return Math.min(1, (whole + (share - from) * right[level]) / share);
  }

  private int level(double share) {
    int found = Arrays.binarySearch(upTo, share);
    int level = found >= 0 ? found + 1 : -found - 1;
    return Math.min(level, upTo.length - 1);
  }
}
