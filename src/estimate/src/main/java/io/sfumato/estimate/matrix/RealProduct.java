// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.matrix;

import java.util.Arrays;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/**
 * Polynomials with real coefficients up to a degree: products and inverses, by fast Fourier
 * transform. Only public or noisy numbers come here. The same bytes on every machine: the library
 * takes its roots of unity from a table of constants, multiplies and adds doubles in a fixed order,
 * and Java's doubles are strict since 17.
 */
final class RealProduct {
  private final int terms;
  private final int size;

  /** The factor's transform: real and imaginary parts. */
  private final double[][] factor;

  /**
   * @param factor coefficients of all that is multiplied later, as many as of the products are
   *     wanted
   */
  RealProduct(double[] factor) {
    this.terms = factor.length;
    this.size = Integer.highestOneBit(Math.max(2, 2 * terms - 1)) << 1;
    this.factor = transform(factor);
  }

  /** The first coefficients of the product, as many as the factor has. */
  double[] with(double[] x) {
    double[][] product = transform(x);
    double[] re = product[0];
    double[] im = product[1];
    for (int i = 0; i < size; i++) {
      double real = re[i] * factor[0][i] - im[i] * factor[1][i];
      im[i] = re[i] * factor[1][i] + im[i] * factor[0][i];
      re[i] = real;
    }
    FastFourierTransformer.transformInPlace(
        product, DftNormalization.STANDARD, TransformType.INVERSE);
    return Arrays.copyOf(re, terms);
  }

  private double[][] transform(double[] x) {
    double[][] values = {Arrays.copyOf(x, size), new double[size]};
    FastFourierTransformer.transformInPlace(
        values, DftNormalization.STANDARD, TransformType.FORWARD);
    return values;
  }

  /**
   * The first coefficients of 1 / c, as many as c has, by Newton's iteration: if g is right up to
   * x^m, then g (2 - c g) is up to x^2m.
   *
   * @param c begins with 1
   */
  static double[] inverse(double[] c) {
    double[] g = {1};
    while (g.length < c.length) {
      int twice = Math.min(2 * g.length, c.length);
      RealProduct times = new RealProduct(Arrays.copyOf(g, twice));
      double[] rest = times.with(Arrays.copyOf(c, twice));
      for (int i = 0; i < twice; i++) {
        rest[i] = -rest[i];
      }
      rest[0] += 2;
      g = times.with(rest);
    }
    return g;
  }
}
