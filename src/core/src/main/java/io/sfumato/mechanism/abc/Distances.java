// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.Histogram;

/** Distances between a private dataset and public pseudo-data, with their sensitivities. */
public final class Distances {
  /**
   * Covers the roundings of two distances in [0, 2], whatever their dimensions. With u = 2^-53:
   * shares and means have a relative error of u, which moves a distance by at most u; each squared
   * difference has 3u; their compensated sum 2u and, for n of them, n u^2; the root u: so a
   * distance moves by less than 9u = 1e-15.
   */
  private static final double ROUNDING = 1e-13;

  /** How far above 1 the norm of a public feature mean may lie. */
  private static final double NORM_SLACK = 1e-9;

  private Distances() {}

  /** Bound of the MMD of unit features. */
  public static final double MMD_BOUND = 2;

  /** Bound of the distance of categories. */
  public static final double CATEGORIES_BOUND = Math.sqrt(2);

  /**
   * Maximum mean discrepancy: {@code |mean phi(X) - mean phi(Y)|} (Lemma 3.1 of the paper).
   *
   * @param observed not empty
   * @param pseudoMean mean features of the pseudo-data; its norm is at most 1
   * @throws IllegalArgumentException if the dimensions differ, or the norm is above 1
   */
  public static double mmd(FeatureSum observed, double[] pseudoMean) {
    if (!isFeatureMean(pseudoMean)) {
      throw new IllegalArgumentException("a feature mean is finite, with norm at most 1");
    }
    return euclidean(observed.mean(), pseudoMean);
  }

  /**
   * Its sensitivity when one of N records is replaced: 2/N, for the quantised features too.
   *
   * @param records N, at least 1
   * @throws IllegalArgumentException if there is no record
   */
  public static double mmdSensitivity(long records) {
    return 2.0 / atLeastOne(records) + ROUNDING;
  }

  /**
   * MMD of categories with the kernel 1[x = y]: the Euclidean distance of the normalised
   * histograms.
   *
   * @param observed not empty
   * @param pseudoShares at least 0, adding up to 1
   * @throws IllegalArgumentException if these are no shares, or of another number of categories
   * @throws IllegalStateException if the dataset is empty
   */
  public static double categories(Histogram observed, double[] pseudoShares) {
    if (!areShares(pseudoShares)) {
      throw new IllegalArgumentException("shares are at least 0 and add up to 1");
    }
    if (observed.size() == 0) {
      throw new IllegalStateException("an empty dataset has no shares");
    }
    double[] shares = new double[observed.categories()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = observed.count(i) / (double) observed.size();
    }
    return euclidean(shares, pseudoShares);
  }

  /**
   * Its sensitivity: sqrt(2)/N.
   *
   * @param records N, at least 1
   * @throws IllegalArgumentException if there is no record
   */
  public static double categoriesSensitivity(long records) {
    return Math.sqrt(2) / atLeastOne(records) + ROUNDING;
  }

  /**
   * Euclidean distance of summaries, clipped to [0, bound]; its sensitivity is the bound.
   *
   * @param observed summaries of the data
   * @param pseudo summaries of the pseudo-data, as many
   * @param bound above 0
   * @throws IllegalArgumentException if the bound is not above 0, if the dimensions differ, or if a
   *     summary is not a number
   */
  public static double summaries(double[] observed, double[] pseudo, double bound) {
    if (!(bound > 0)) {
      throw new IllegalArgumentException("a bound is above 0, was " + bound);
    }
    double distance = euclidean(observed, pseudo);
    if (Double.isNaN(distance)) {
      throw new IllegalArgumentException("summaries are numbers");
    }
    return Math.min(bound, distance);
  }

  /**
   * Its sensitivity: two numbers of [0, bound] are at most the bound apart, whatever the data.
   *
   * @param records N, at least 1
   * @param bound above 0
   * @throws IllegalArgumentException if there is no record
   */
  public static double summariesSensitivity(long records, double bound) {
    atLeastOne(records);
    return bound;
  }

  /**
   * Whether pseudo-data can have such mean features: finite, with norm at most 1.
   *
   * @param mean of every feature
   */
  public static boolean isFeatureMean(double[] mean) {
    return euclidean(mean, new double[mean.length]) <= 1 + NORM_SLACK;
  }

  /**
   * Whether these are shares: at least 0, adding up to 1.
   *
   * @param shares by category
   */
  public static boolean areShares(double[] shares) {
    double sum = 0;
    for (double share : shares) {
      if (!(share >= 0)) {
        return false;
      }
      sum += share;
    }
    return Math.abs(sum - 1) <= NORM_SLACK;
  }

  private static long atLeastOne(long records) {
    if (records < 1) {
      throw new IllegalArgumentException("an empty dataset answers no query");
    }
    return records;
  }

  private static double euclidean(double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "dimensions differ: " + x.length + " here, found " + y.length);
    }
    // Compensated (Kahan): else thousands of features round by more than the allowance.
    double sum = 0;
    double lost = 0;
    for (int i = 0; i < x.length; i++) {
      double term = (x[i] - y[i]) * (x[i] - y[i]) - lost;
      double next = sum + term;
      lost = next - sum - term;
      sum = next;
    }
    return Math.sqrt(sum);
  }
}
