package io.sfumato.accounting;

import java.util.Arrays;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/** Powers and products of tilted loss distributions, by fast Fourier transform. */
final class Transform {
  /**
   * Relative error of one transform in the Euclidean norm, for each of its log2(n) stages (Higham,
   * Accuracy and Stability of Numerical Algorithms, Theorem 24.2, generously).
   */
  private static final double STAGE_ERROR = 4e-15;

  private final int size;
  private final double[] re;
  private final double[] im;
  private double relativeError;

  Transform(int size) {
    this.size = Math.max(2, size);
    this.re = new double[this.size];
    this.im = new double[this.size];
    Arrays.fill(re, 1);
  }

  /** Multiplies by the {@code count}-th power of a grid's law, tilted by e^(theta loss). */
  void multiply(LossGrid grid, double theta, double lnMoment, long count) {
    double[] x = new double[size];
    double[] y = new double[size];
    for (int i = 0; i < grid.size(); i++) {
      if (grid.mass(i) > 0) {
        double tilt = grid.lnMass(i) + theta * grid.at(i) * grid.step() - lnMoment;
        x[Math.floorMod(grid.at(i), size)] += StrictMath.exp(tilt);
      }
    }
    double norm = 0;
    for (double value : x) {
      norm += value * value;
    }
    FastFourierTransformer.transformInPlace(
        new double[][] {x, y}, DftNormalization.STANDARD, TransformType.FORWARD);
    for (int i = 0; i < size; i++) {
      power(i, x[i], y[i], count);
    }
    double stages = Math.max(1, Math.log(size) / Math.log(2));
    relativeError +=
        count * (stages * STAGE_ERROR * Math.sqrt(size * norm) + 16 * Math.ulp(1.0) * stages);
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
    FastFourierTransformer.transformInPlace(
        new double[][] {re, im}, DftNormalization.STANDARD, TransformType.INVERSE);
    double[] law = new double[size];
    int start = (int) first;
    System.arraycopy(re, start, law, 0, size - start);
    System.arraycopy(re, 0, law, size - start, start);
    return law;
  }

  /** Bounds the error of any sum of the law's probabilities. */
  double error() {
    return relativeError + Math.sqrt(size) * Math.log(size) / Math.log(2) * STAGE_ERROR;
  }
}
