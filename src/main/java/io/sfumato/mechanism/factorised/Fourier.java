// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/**
 * The fast Fourier transform of commons-math3, to the bit: the same sums of the same numbers in the
 * same order. But roots of unity, which the library makes anew in every block of every stage, are
 * asked of it once. Published estimates rest on its bits, so that no other one could take its
 * place.
 */
final class Fourier {
  /** Stages of two halves with four numbers each, and more. */
  private static final AtomicReferenceArray<Roots> STAGES =
      new AtomicReferenceArray<>(Integer.SIZE);

  private Fourier() {}

  /** Of the first half of a circle, and turned the other way. */
  private record Roots(double[] re, double[] im, double[] conjugate) {
    /** Of all numbers the transform of a single 1 in the second place shows the roots. */
    static Roots of(int size) {
      double[][] values = {new double[size], new double[size]};
      values[0][1] = 1;
      FastFourierTransformer.transformInPlace(
          values, DftNormalization.STANDARD, TransformType.FORWARD);
      double[] re = new double[size / 2];
      double[] im = new double[size / 2];
      double[] conjugate = new double[size / 2];
      for (int i = 0; i < re.length; i++) {
        re[i] = values[0][i];
        im[i] = values[1][i];
        conjugate[i] = -im[i];
      }
      return new Roots(re, im, conjugate);
    }
  }

  private static Roots roots(int size) {
    int stage = Integer.numberOfTrailingZeros(size);
    Roots roots = STAGES.get(stage);
    if (roots == null) {
      roots = Roots.of(size);
      STAGES.set(stage, roots);
    }
    return roots;
  }

  /** In place, of a power of two of numbers, at least 4. */
  static void forward(double[] re, double[] im) {
    shuffle(re, im);
    fours(re, im);
    for (int size = 8; size <= re.length; size *= 2) {
      Roots roots = roots(size);
      stage(re, im, size, roots.re, roots.im);
    }
  }

  /** The inverse, likewise. */
  static void inverse(double[] re, double[] im) {
    shuffle(re, im);
    // With the parts in each other's places it turns the other way.
    fours(im, re);
    for (int size = 8; size <= re.length; size *= 2) {
      Roots roots = roots(size);
      stage(re, im, size, roots.re, roots.conjugate);
    }
    double scale = 1.0 / re.length;
    for (int i = 0; i < re.length; i++) {
      re[i] *= scale;
      im[i] *= scale;
    }
  }

  /** Transforms of four numbers each, of which the second and the third have changed places. */
  private static void fours(double[] re, double[] im) {
    for (int i = 0; i < re.length; i += 4) {
      double re0 = re[i];
      double im0 = im[i];
      double re1 = re[i + 2];
      double im1 = im[i + 2];
      double re2 = re[i + 1];
      double im2 = im[i + 1];
      double re3 = re[i + 3];
      double im3 = im[i + 3];
      re[i] = re0 + re1 + re2 + re3;
      im[i] = im0 + im1 + im2 + im3;
      re[i + 1] = re0 - re2 + (im1 - im3);
      im[i + 1] = im0 - im2 + (re3 - re1);
      re[i + 2] = re0 - re1 + re2 - re3;
      im[i + 2] = im0 - im1 + im2 - im3;
      re[i + 3] = re0 - re2 + (im3 - im1);
      im[i + 3] = im0 - im2 + (re1 - re3);
    }
  }

  /** Two halves with g and h become g + w h and g - w h. */
  private static void stage(double[] re, double[] im, int size, double[] wRe, double[] wIm) {
    int half = size / 2;
    for (int block = 0; block < re.length; block += size) {
      for (int r = 0; r < half; r++) {
        int even = block + r;
        int odd = even + half;
        double gRe = re[even];
        double gIm = im[even];
        double hRe = re[odd];
        double hIm = im[odd];
        double reRe = wRe[r] * hRe;
        double imIm = wIm[r] * hIm;
        double reIm = wRe[r] * hIm;
        double imRe = wIm[r] * hRe;
        re[even] = gRe + reRe - imIm;
        im[even] = gIm + reIm + imRe;
        re[odd] = gRe - (reRe - imIm);
        im[odd] = gIm - (reIm + imRe);
      }
    }
  }

  /** Every number to the place whose binary digits are those of its own, reversed. */
  private static void shuffle(double[] re, double[] im) {
    int half = re.length / 2;
    int j = 0;
    for (int i = 0; i < re.length; i++) {
      if (i < j) {
        double real = re[i];
        re[i] = re[j];
        re[j] = real;
        double imaginary = im[i];
        im[i] = im[j];
        im[j] = imaginary;
      }
      int k = half;
      while (k <= j && k > 0) {
        j -= k;
        k >>= 1;
      }
      j += k;
    }
  }
}
