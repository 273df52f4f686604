// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;
import org.junit.jupiter.api.Test;

/** Published estimates rest on the library's transform: this one must not differ by a bit. */
class FourierTest {
  @Test
  void isTheLibrarysToTheBit() {
    Random random = new Random(64);
    for (int size = 4; size <= 1 << 12; size *= 2) {
      for (int i = 0; i < 4; i++) {
        double[] re = random.doubles(size, -1e6, 1e6).toArray();
        double[] im = i == 0 ? new double[size] : random.doubles(size, -1e-3, 1e6).toArray();
        double[][] forward = {re.clone(), im.clone()};
        double[][] inverse = {re.clone(), im.clone()};
        Fourier.forward(forward[0], forward[1]);
        Fourier.inverse(inverse[0], inverse[1]);
        assertThat(forward).isDeepEqualTo(library(re, im, TransformType.FORWARD));
        assertThat(inverse).isDeepEqualTo(library(re, im, TransformType.INVERSE));
      }
    }
  }

  private static double[][] library(double[] re, double[] im, TransformType type) {
    double[][] values = {re.clone(), im.clone()};
    FastFourierTransformer.transformInPlace(values, DftNormalization.STANDARD, type);
    return values;
  }
}
