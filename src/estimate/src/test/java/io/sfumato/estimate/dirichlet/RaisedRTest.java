// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** What is found by secants is what doubling and halving alone find, with fewer tests. */
class RaisedRTest {
  private static double halved(DoubleUnaryOperator excess, double start, double precision) {
    double fits = start;
    double step = 1 + precision * 64;
    double tooMuch = start * step;
    while (excess.applyAsDouble(tooMuch) <= 1) {
      fits = tooMuch;
      step *= step;
      tooMuch = fits * Math.min(step, 2);
    }
    while (tooMuch > fits * (1 + precision)) {
      double middle = (fits + tooMuch) / 2;
      if (excess.applyAsDouble(middle) <= 1) {
        fits = middle;
      } else {
        tooMuch = middle;
      }
    }
    return fits;
  }

  @Test
  void findsWhatHalvingFinds() {
    Random random = new Random(5);
    int near = 0;
    int few = 0;
    for (int i = 0; i < 2_000; i++) {
      double place = Math.exp(4 * random.nextGaussian());
      double power = 0.5 + 40 * random.nextDouble();
      DoubleUnaryOperator excess = r -> Math.pow(r / place, power);
      boolean isNear = i % 2 == 0;
      // Near as coarse tests come; else anywhere, above the place too.
      double start =
          place * (isNear ? 0.993 + 0.004 * random.nextDouble() : 0.3 + random.nextDouble());
      for (double precision : new double[] {1e-3, 1e-6}) {
        AtomicInteger tests = new AtomicInteger();
        double found =
            RaisedR.of(
                r -> {
                  tests.incrementAndGet();
                  return excess.applyAsDouble(r);
                },
                start,
                precision);
        assertThat(found).isEqualTo(halved(excess, start, precision));
        near += isNear ? 1 : 0;
        few += isNear && tests.get() <= 7 ? 1 : 0;
      }
    }
    assertThat(few).isGreaterThan(near * 9 / 10);
  }

  /** Nothing above it is allowed, and whoever asks knows that it is. */
  @Test
  void staysAtAStartThatIsTooMuch() {
    assertThat(RaisedR.of(r -> 2, 0.5, 1e-6)).isEqualTo(0.5);
    assertThat(RaisedR.of(r -> r / 0.4, 0.5, 1e-6)).isEqualTo(0.5);
  }

  @Test
  void returnsWhatHasPassedWhereATestHasSteps() {
    double found = RaisedR.of(r -> r > 0.5025 ? 3 : 1, 0.5, 1e-6);
    assertThat(found).isBetween(0.5025 * (1 - 2e-6), 0.5025);
  }
}
