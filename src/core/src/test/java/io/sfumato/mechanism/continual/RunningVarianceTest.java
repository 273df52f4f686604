// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class RunningVarianceTest {
  /** Against B = A C^-1 by a library's inverse. */
  @Test
  void variancesAreThoseOfTheInverse() {
    int windows = 220;
    for (Coefficients coefficients :
        List.of(
            new SquareRootCoefficients(17),
            new SquareRootCoefficients(90),
            DecayingCoefficients.FADING)) {
      long[][] steps = CoefficientsTest.matrix(coefficients, windows);
      RealMatrix c = new Array2DRowRealMatrix(windows, windows);
      RealMatrix a = new Array2DRowRealMatrix(windows, windows);
      for (int row = 0; row < windows; row++) {
        for (int column = 0; column <= row; column++) {
          c.setEntry(row, column, steps[row][column] / (double) Coefficients.ONE);
          a.setEntry(row, column, 1);
        }
      }
      RealMatrix b = a.multiply(new LUDecomposition(c).getSolver().getInverse());
      RunningVariance variance = new RunningVariance(coefficients);
      for (int n = 1; n <= windows; n += 3) {
        double square = b.getRowVector(n - 1).dotProduct(b.getRowVector(n - 1));
        assertThat(variance.of(n, n)).isCloseTo(square, within(1e-9 * square));
        if (n > 8) {
          var last = b.getRowVector(n - 1).subtract(b.getRowVector(n - 8));
          assertThat(variance.of(n, 7)).isCloseTo(last.dotProduct(last), within(1e-9));
        }
      }
    }
  }
}
