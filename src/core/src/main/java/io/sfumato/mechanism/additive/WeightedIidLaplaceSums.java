// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import java.util.Arrays;

/**
 * The law of a weighted sum of independent variables, each the sum of n standard Laplace ones. With
 * its moments {@code M(t) = product (1 - s_k t^2)^-n}, s_k = w_k^2,
 *
 * <pre>  P[|X| > x] = 1/(pi i) integral of e^(-t x) M(t) / t dt</pre>
 *
 * along any line that passes the real axis between 0 and the first pole. Here it is a parabola that
 * opens away from 0, t = c + i y + y^2/2 with c near the saddle point: what is integrated falls
 * like a Gaussian on it, so that the trapezoidal rule misses as little as doubles do.
 */
final class WeightedIidLaplaceSums {
  /** Bends the line; 1 is the first pole. */
  private static final double BEND = 0.5;

  /** Steps between the line and the nearest pole: the rule misses about e^(-2 pi) for each. */
  private static final int STEPS = 4;

  /** Halvings that find the line: it need not be the best. */
  private static final int HALVINGS = 12;

  /** What is so rare needs no integral: its Chernoff bound is told. */
  private static final double RARE = 1e-12;

  /** What is left out of the integral, of its largest term. */
  private static final double NOTHING = 1e-13;

  /** s_k, the largest being 1. */
  private final double[] squares;

  /** n. */
  private final long times;

  /** x over the largest weight. */
  private final double x;

  private WeightedIidLaplaceSums(double[] squares, long times, double x) {
    this.squares = squares;
    this.times = times;
    this.x = x;
  }

  /**
   * P[|X| > x], to 1e-9.
   *
   * @param x at least 0
   * @param times n, at least 1
   * @param weights any finite ones
   */
  static double tail(double x, long times, double... weights) {
    double largest = Arrays.stream(weights).map(Math::abs).max().orElse(0);
    if (largest == 0) {
      return 0;
    }
    if (x == 0) {
      return 1;
    }
    double[] squares =
        Arrays.stream(weights).map(w -> w / largest * (w / largest)).filter(s -> s > 0).toArray();
    return new WeightedIidLaplaceSums(squares, times, x / largest).tail();
  }

  private double tail() {
    double c = saddle();
    double moments = 1;
    double ln = -c * x;
    for (double s : squares) {
      moments *= 1 - s * c * c;
      ln -= times * StrictMath.log1p(-s * c * c);
    }
    double chernoff = 2 * StrictMath.exp(ln);
    return chernoff < RARE
        ? chernoff
        : Math.max(0, Math.min(1, chernoff / StrictMath.PI * integral(c, moments)));
  }

  /** Where e^(-t x) M(t) / t is least between 0 and 1: any place near it would do. */
  private double saddle() {
    double sum = Arrays.stream(squares).sum();
    double low = 0;
    double high = (x + Math.sqrt(x * x + 8 * times * sum)) / (4 * times * sum);
    high = Math.min(1, high);
    for (int i = 0; i < HALVINGS; i++) {
      double c = (low + high) / 2;
      double slope = -x - 1 / c;
      for (double s : squares) {
        slope += times * 2 * s * c / (1 - s * c * c);
      }
      if (slope < 0) {
        low = c;
      } else {
        high = c;
      }
    }
    return (low + high) / 2;
  }

  /**
   * Of the real part of {@code e^(-(t - c) x) M(t) / M(c) / t (1 - i y)} over y > 0.
   *
   * @param c where the line passes
   * @param moments product of 1 - s c^2
   */
  private double integral(double c, double moments) {
    double h = 0.8 * Math.min(c, 1 - c) / STEPS;
    // e^(-i h x), by which each term is turned further, and e^(-h^2 x / 2), by which it falls.
    double turnRe = StrictMath.cos(h * x);
    double turnIm = -StrictMath.sin(h * x);
    double fall = StrictMath.exp(-BEND * h * h * x);
    double squaredFall = fall * fall;
    double re = 1;
    double im = 0;
    double sum = 0.5 / c;
    for (long j = 1; ; j++) {
      double turned = re * turnRe - im * turnIm;
      im = (re * turnIm + im * turnRe) * fall;
      re = turned * fall;
      fall *= squaredFall;
      double y = j * h;
      double tRe = c + BEND * y * y;
      double squareRe = tRe * tRe - y * y;
      double squareIm = 2 * tRe * y;
      double qRe = 1 / moments;
      double qIm = 0;
      for (double s : squares) {
        double factorRe = 1 - s * squareRe;
        double factorIm = -s * squareIm;
        double product = qRe * factorRe - qIm * factorIm;
        qIm = qRe * factorIm + qIm * factorRe;
        qRe = product;
      }
      // The n-th power, then times t.
      double powerRe = tRe;
      double powerIm = y;
      for (long left = times; left > 0; left >>= 1) {
        if ((left & 1) == 1) {
          double product = powerRe * qRe - powerIm * qIm;
          powerIm = powerRe * qIm + powerIm * qRe;
          powerRe = product;
        }
        double square = qRe * qRe - qIm * qIm;
        qIm = 2 * qRe * qIm;
        qRe = square;
      }
      double size = powerRe * powerRe + powerIm * powerIm;
      double largest = (Math.abs(re) + Math.abs(im)) * (1 + y) / Math.sqrt(size);
      // Also where the power is beyond all doubles.
      if (!(largest > NOTHING * sum)) {
        return h * sum;
      }
      double termRe = (re * powerRe + im * powerIm) / size;
      double termIm = (im * powerRe - re * powerIm) / size;
      sum += termRe + 2 * BEND * y * termIm;
    }
  }
}
