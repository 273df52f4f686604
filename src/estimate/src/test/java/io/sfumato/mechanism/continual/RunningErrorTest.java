// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.estimate.count.RunningErrors;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("deep")
class RunningErrorTest {
  private static double norm(Coefficients coefficients, int windows) {
    return Math.sqrt(coefficients.squaredNorm(windows).doubleValue()) / Coefficients.ONE;
  }

  @Test
  void withoutWideBinsTheyAreTheRoots() {
    RootEstimate root = new RootEstimate(ToeplitzRoot.full(32));
    RunningVariance variance = new RunningVariance(new SquareRootCoefficients(32));
    for (int n = 1; n <= 32; n++) {
      assertThat(Math.sqrt(variance.of(n, n))).isCloseTo(root.deviation(n - 1), within(1e-9));
    }
  }

  @Test
  void whatIsInterpolatedIsNearTheTruth() {
    for (Coefficients coefficients :
        List.of(
            new SquareRootCoefficients(3),
            new SquareRootCoefficients(600),
            DecayingCoefficients.FADING)) {
      RunningError error = new RunningError(coefficients);
      RunningVariance variance = new RunningVariance(coefficients);
      double squares = 0;
      for (int n = 1; n <= 900; n++) {
        double exact = variance.of(n, n);
        squares += exact;
        assertThat(error.ofAll(n)).isCloseTo(Math.sqrt(exact), within(0.005 * Math.sqrt(exact)));
      }
      double rms = Math.sqrt(squares / 900);
      assertThat(error.rootMeanSquare(900)).isCloseTo(rms, within(0.002 * rms));
    }
  }

  /** Beyond what is found it goes on from above. */
  @Test
  void goesOnBeyond() {
    int far = 3 << 16;
    for (Coefficients coefficients :
        List.of(
            new SquareRootCoefficients(50),
            new SquareRootCoefficients(50_000),
            DecayingCoefficients.FADING)) {
      double exact = Math.sqrt(new RunningVariance(coefficients).of(far, far));
      assertThat(new RunningError(coefficients).ofAll(far))
          .as(coefficients.toString())
          .isBetween(exact * 0.999, exact * 1.15);
    }
  }

  @Test
  void theLastWindowsDoNotDependOnTheBeginningForLong() {
    Coefficients coefficients = BestLags.of(new Horizon.Last(7), 1);
    RunningError error = new RunningError(coefficients);
    double exact = Math.sqrt(new RunningVariance(coefficients).of(5_000, 7));
    assertThat(error.ofLast(300, 7)).isCloseTo(exact, within(1e-9));
    assertThat(norm(coefficients, 1) * exact).isLessThan(1.86).isLessThan(Math.sqrt(7));
  }

  /** Root mean square over windows and the worst, one record of one window, noise of one record. */
  @ParameterizedTest
  @CsvSource({
    "16, 1, 1.80, 2.05", "64, 1, 2.23, 2.52", "256, 1, 2.67, 2.97", "1024, 1, 3.11, 3.43",
    "4096, 1, 3.56, 3.93", "65536, 1, 4.5, 4.9", "256, 4, 9.5, 10.7", "1024, 4, 11.2, 12.5",
    "1024, 16, 40.6, 46", "1024, 52, 119, 136", "256, 52, 81.8, 116", "1024, 128, 256, 362"
  })
  void errorsAreSmall(int windows, int most, double rms, double worst) {
    Coefficients coefficients = BestLags.of(new Horizon.Until(windows), most);
    RunningError error = new RunningError(coefficients);
    assertThat(norm(coefficients, most) * error.rootMeanSquare(windows)).isBetween(0.98 * rms, rms);
    assertThat(norm(coefficients, most) * error.ofAll(windows)).isBetween(0.98 * worst, worst);
  }

  /** Never worse than the tree, nor than independent sums. */
  @Test
  void nothingElseIsBetter() {
    for (int windows : new int[] {2, 3, 7, 16, 33, 100, 365, 1024, 5000, 40_000}) {
      for (int most : new int[] {1, 2, 5, 13, 52, 200, 1000}) {
        if (most <= windows) {
          RunningErrors errors =
              new RunningErrors(
                  new CalibrationTarget("n", Epsilon.of("1"), Delta.of("1e-6"), most), 1, windows);
          double rows =
              new RowErrorBars(errors.rows().orElseThrow().mechanism()).rootMeanSquare(windows);
          assertThat(rows)
              .as(windows + ", " + most)
              .isLessThanOrEqualTo(errors.tree().orElseThrow())
              .isLessThanOrEqualTo(errors.independent().orElseThrow() * (1 + 1e-12));
        }
      }
    }
  }

  /** Against the root of exactly as many windows, which nobody knows beforehand: variances. */
  @Test
  void withoutAnEndTheyAreNearTheBestForEveryNumberOfWindows() {
    RunningError error = new RunningError(DecayingCoefficients.FADING);
    for (int windows = 16; windows <= 65_536; windows *= 4) {
      Coefficients known = new SquareRootCoefficients(windows);
      double ratio =
          norm(DecayingCoefficients.FADING, 1)
              * error.ofAll(windows)
              / (norm(known, 1) * new RunningError(known).ofAll(windows));
      assertThat(ratio * ratio).as(windows + " windows").isLessThan(1.7);
      if (windows >= 64) {
        assertThat(ratio * ratio).as(windows + " windows").isLessThan(1.5);
      }
    }
  }
}
