// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Powers and products of tilted loss distributions, by fast Fourier transform. The roots of unity
 * come from a table: the error of a transform is proportional to theirs, and roots that are made by
 * repeated multiplication (as in commons-math3) are a hundred times worse at 2^20 places.
 */
final class FourierConvolution {
  /**
   * Relative error of one transform in the Euclidean norm, for each of its log2(n) stages: Higham,
   * Accuracy and Stability of Numerical Algorithms, Theorem 24.2, has eta = mu + gamma_4 (sqrt(2) +
   * mu), below 1e-15 for roots with an error mu of 3e-16. The rest covers the powers, which cost
   * less than 7e-16 for each release: a complex product has a relative error below 3.2e-16, and
   * binary powers of count k make at most that of k + 1 products.
   */
  private static final double STAGE_ERROR = 4e-15;

  /** Tables up to this size are kept: plans compose thousands of times at a few sizes. */
  private static final int LARGEST_KEPT = 17;

  private static final AtomicReferenceArray<Roots> KEPT =
      new AtomicReferenceArray<>(LARGEST_KEPT + 1);

  private final int size;
  private final int stages;
  private final Roots roots;
  private final double[] re;
  private final double[] im;
  private double relativeError;
  private double lnGrowth;

  /**
   * @param size a power of two, at least 4
   */
  FourierConvolution(int size) {
    this.size = size;
    this.stages = Integer.numberOfTrailingZeros(size);
    this.roots = Roots.of(size);
    this.re = new double[size];
    this.im = new double[size];
    Arrays.fill(re, 1);
  }

  /** cos and -sin of 2 pi k / n for k below n/2. */
  private record Roots(double[] cosines, double[] sines) {
    static Roots of(int size) {
      int stages = Integer.numberOfTrailingZeros(size);
      if (stages > LARGEST_KEPT) {
        return made(size);
      }
      Roots roots = KEPT.get(stages);
      if (roots == null) {
        roots = made(size);
        KEPT.set(stages, roots);
      }
      return roots;
    }

    private static Roots made(int size) {
      Roots roots = new Roots(new double[size / 2], new double[size / 2]);
      // An eighth of the circle has them all; and its angles are small, and so are their errors.
      for (int k = 0; k <= size / 8; k++) {
        double angle = 2 * Math.PI * k / size;
        double cosine = StrictMath.cos(angle);
        double sine = StrictMath.sin(angle);
        roots.set(k, cosine, sine);
        roots.set(size / 4 - k, sine, cosine);
        roots.set(size / 4 + k, -sine, cosine);
        roots.set(size / 2 - k, -cosine, sine);
      }
      return roots;
    }

    private void set(int k, double cosine, double sine) {
      if (k < cosines.length) {
        cosines[k] = cosine;
        sines[k] = -sine;
      }
    }
  }

  /** Multiplies by the {@code count}-th power of a grid's law, tilted by e^(theta loss). */
  void multiply(DiscretizedLoss grid, double theta, double lnMoment, long count) {
    double[] x = new double[size];
    double[] y = new double[size];
    double total = 0;
    double rounding = 0;
    for (int i = 0; i < grid.size(); i++) {
      if (grid.mass(i) > 0) {
        double loss = theta * grid.at(i) * grid.step();
        double mass = StrictMath.exp(grid.lnMass(i) + loss - lnMoment);
        x[Math.floorMod(grid.at(i), size)] += mass;
        total += mass;
        rounding += mass * (1 + Math.abs(grid.lnMass(i)) + Math.abs(loss) + Math.abs(lnMoment));
      }
    }
    double norm = 0;
    for (double value : x) {
      norm += value * value;
    }
    forward(x, y);
    for (int i = 0; i < size; i++) {
      power(i, x[i], y[i], count);
    }
    double ofTransform = stages * STAGE_ERROR * Math.sqrt(size * norm);
    // The exponent of a mass has an error of half an ulp for each of its few operations; what of a
    // mass underflows is less than 2^-1000 in all.
    relativeError +=
        count
            * (ofTransform
                + 16 * Math.ulp(1.0) * stages
                + 0x1.0p-51 * rounding
                + Double.MIN_NORMAL);
    // Masses add up to 1 but for roundings. By how much powers may leave the unit circle:
    lnGrowth += count * (Math.max(0, total - 1) + size * 0x1.0p-52 + ofTransform);
  }

  /** Binary powers: values stay within the unit circle. */
  private void power(int place, double x, double y, long count) {
    double outRe = re[place];
    double outIm = im[place];
    double baseRe = x;
    double baseIm = y;
    for (long left = count; ; ) {
      if ((left & 1) == 1) {
        double product = outRe * baseRe - outIm * baseIm;
        outIm = outRe * baseIm + outIm * baseRe;
        outRe = product;
      }
      left >>>= 1;
      if (left == 0) {
        break;
      }
      double square = baseRe * baseRe - baseIm * baseIm;
      baseIm = 2 * baseRe * baseIm;
      baseRe = square;
    }
    re[place] = outRe;
    im[place] = outIm;
  }

  /** The law of the sum, starting at a place of the cycle. */
  double[] inverse(long first) {
    inverse(re, im);
    double[] distribution = new double[size];
    int start = (int) first;
    System.arraycopy(re, start, distribution, 0, size - start);
    System.arraycopy(re, 0, distribution, size - start, start);
    return distribution;
  }

  /**
   * Bounds the error of any sum of the law's probabilities: that of the product in the Euclidean
   * norm, which is sqrt(n) times that of the law, and sqrt(n) probabilities' errors of this norm
   * add up to no more; and the same for the inverse of a law whose norm is at most 1.
   */
  double error() {
    return StrictMath.exp(lnGrowth) * (relativeError + Math.sqrt(size) * stages * STAGE_ERROR);
  }

  /**
   * From natural to bit-reversed order (Gentleman, Sande 1966): two stages at a time, so that each
   * number is read and written half as often.
   */
  private void forward(double[] x, double[] y) {
    double[] cosines = roots.cosines;
    double[] sines = roots.sines;
    int half = size / 2;
    for (; half >= 2; half /= 4) {
      int quarter = half / 2;
      int stride = size / 2 / half;
      for (int block = 0; block < size; block += 2 * half) {
        int k = 0;
        int further = quarter * stride;
        for (int a = block, end = block + quarter; a < end; a++) {
          int b = a + quarter;
          int c = b + quarter;
          int d = c + quarter;
          double ax = x[a] + x[c];
          double ay = y[a] + y[c];
          double dx = x[a] - x[c];
          double dy = y[a] - y[c];
          double cx = dx * cosines[k] - dy * sines[k];
          double cy = dx * sines[k] + dy * cosines[k];
          double bx = x[b] + x[d];
          double by = y[b] + y[d];
          dx = x[b] - x[d];
          dy = y[b] - y[d];
          double ex = dx * cosines[further] - dy * sines[further];
          double ey = dx * sines[further] + dy * cosines[further];
          double cosine = cosines[2 * k];
          double sine = sines[2 * k];
          x[a] = ax + bx;
          y[a] = ay + by;
          dx = ax - bx;
          dy = ay - by;
          x[b] = dx * cosine - dy * sine;
          y[b] = dx * sine + dy * cosine;
          x[c] = cx + ex;
          y[c] = cy + ey;
          dx = cx - ex;
          dy = cy - ey;
          x[d] = dx * cosine - dy * sine;
          y[d] = dx * sine + dy * cosine;
          k += stride;
          further += stride;
        }
      }
    }
    if (half == 1) {
      neighbours(x, y);
    }
  }

  /** The stage whose only root is 1: the last one there, and the first one back. */
  private void neighbours(double[] x, double[] y) {
    for (int low = 0; low < size; low += 2) {
      int high = low + 1;
      double dx = x[low] - x[high];
      double dy = y[low] - y[high];
      x[low] += x[high];
      y[low] += y[high];
      x[high] = dx;
      y[high] = dy;
    }
  }

  /** From bit-reversed to natural order (Cooley, Tukey 1965), with conjugate roots, over n. */
  private void inverse(double[] x, double[] y) {
    double[] cosines = roots.cosines;
    double[] sines = roots.sines;
    int half = 1;
    if ((stages & 1) == 1) {
      neighbours(x, y);
      half = 2;
    }
    for (; half < size; half *= 4) {
      int stride = size / 4 / half;
      for (int block = 0; block < size; block += 4 * half) {
        int k = 0;
        int further = half * stride;
        for (int a = block, end = block + half; a < end; a++) {
          int b = a + half;
          int c = b + half;
          int d = c + half;
          double cosine = cosines[2 * k];
          double sine = sines[2 * k];
          double wx = x[b] * cosine + y[b] * sine;
          double wy = y[b] * cosine - x[b] * sine;
          double ax = x[a] + wx;
          double ay = y[a] + wy;
          double bx = x[a] - wx;
          double by = y[a] - wy;
          wx = x[d] * cosine + y[d] * sine;
          wy = y[d] * cosine - x[d] * sine;
          double cx = x[c] + wx;
          double cy = y[c] + wy;
          double dx = x[c] - wx;
          double dy = y[c] - wy;
          wx = cx * cosines[k] + cy * sines[k];
          wy = cy * cosines[k] - cx * sines[k];
          x[a] = ax + wx;
          y[a] = ay + wy;
          x[c] = ax - wx;
          y[c] = ay - wy;
          wx = dx * cosines[further] + dy * sines[further];
          wy = dy * cosines[further] - dx * sines[further];
          x[b] = bx + wx;
          y[b] = by + wy;
          x[d] = bx - wx;
          y[d] = by - wy;
          k += stride;
          further += stride;
        }
      }
    }
    // A power of two: the same bits as by division.
    double scale = 1.0 / size;
    for (int i = 0; i < size; i++) {
      x[i] *= scale;
      y[i] *= scale;
    }
  }
}
