// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.random.KeyedRandom;
import java.util.Arrays;

/**
 * Random Fourier features of the Gaussian kernel {@code exp(-|x - y|^2 / (2 h^2))} (Rahimi, Recht
 * 2007): {@code phi(x) = sqrt(2/m) (cos w_j x, sin w_j x)}, {@code w_j ~ N(0, I / h^2)}, so that
 * |phi| = 1. Public: the frequencies come from a public seed. StrictMath: every machine has the
 * same features to the last bit.
 */
public final class RandomFeatures {
  /** Steps of a quantised feature in one. */
  public static final double STEPS = 0x1.0p32;

  /** Largest magnitude of a number: beyond it the argument of a cosine has no digits left. */
  public static final double LARGEST_INPUT = 1e12;

  private final double[][] frequencies;

  /**
   * @param dimensions of x, 1 to 1000
   * @param features m, even, 2 to 10000
   * @param bandwidth h, above 0, in the unit of x
   * @param seed public
   * @throws IllegalArgumentException if a parameter is out of range
   */
  public RandomFeatures(int dimensions, int features, double bandwidth, String seed) {
    if (dimensions < 1 || dimensions > 1000) {
      throw new IllegalArgumentException("dimensions must be 1 to 1000, was " + dimensions);
    }
    if (features < 2 || features > 10_000 || features % 2 != 0) {
      throw new IllegalArgumentException("features must be even, 2 to 10000, was " + features);
    }
    if (!(bandwidth > 0) || bandwidth == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("bandwidth must be above 0, was " + bandwidth);
    }
    KeyedRandom random = KeyedRandom.ofPublicSeed("random features " + seed);
    frequencies = new double[features / 2][dimensions];
    for (double[] w : frequencies) {
      Arrays.setAll(w, i -> random.nextStandardGaussian() / bandwidth);
    }
  }

  /** Numbers in a record, 1 to 1000. */
  public int dimensions() {
    return frequencies[0].length;
  }

  /** m. */
  public int features() {
    return 2 * frequencies.length;
  }

  /** w_j: a row of as many numbers as a record has, for each pair of features. */
  public double[][] frequencies() {
    return Arrays.stream(frequencies).map(double[]::clone).toArray(double[][]::new);
  }

  /**
   * The features of one record in whole steps of 2^-32, rounded towards 0: so their norm is at most
   * 1, and sums do not depend on the order of records.
   *
   * @param x as {@link #phi} takes it
   * @throws IllegalArgumentException unless x has the right dimension and is finite
   */
  public long[] quantised(double[] x) {
    double[] phi = phi(x);
    long[] steps = new long[phi.length];
    Arrays.setAll(steps, i -> (long) (phi[i] * STEPS));
    return steps;
  }

  /**
   * The features of one record.
   *
   * @param x of the right dimension, each number of magnitude at most 1e12
   * @throws IllegalArgumentException if x has another dimension, or a number is out of range
   */
  public double[] phi(double[] x) {
    if (x.length != dimensions()) {
      throw new IllegalArgumentException(
          "a record has " + dimensions() + " numbers here, found " + x.length);
    }
    for (double value : x) {
      if (!(Math.abs(value) <= LARGEST_INPUT)) {
        throw new IllegalArgumentException("a record's numbers are finite, at most 1e12");
      }
    }
    double scale = Math.sqrt(1.0 / frequencies.length);
    double[] phi = new double[features()];
    for (int j = 0; j < frequencies.length; j++) {
      double angle = 0;
      for (int i = 0; i < x.length; i++) {
        angle += frequencies[j][i] * x[i];
      }
      phi[2 * j] = scale * StrictMath.cos(angle);
      phi[2 * j + 1] = scale * StrictMath.sin(angle);
    }
    return phi;
  }

  /**
   * Mean features of public pseudo-data, at least one row.
   *
   * @param rows as {@link #phi} takes them
   * @throws IllegalArgumentException if there is no row, or one that {@link #phi} refuses
   */
  public double[] mean(double[][] rows) {
    if (rows.length == 0) {
      throw new IllegalArgumentException("pseudo-data has at least one row");
    }
    double[] sum = new double[features()];
    for (double[] row : rows) {
      double[] phi = phi(row);
      Arrays.setAll(sum, i -> sum[i] + phi[i]);
    }
    return Arrays.stream(sum).map(s -> s / rows.length).toArray();
  }
}
