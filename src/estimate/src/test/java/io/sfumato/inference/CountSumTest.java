// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.PoissonDistribution;
import org.junit.jupiter.api.Test;

/** Sums of counts whose law is known. */
class CountSumTest {
  private static final double LEAST = 1e-14;

  /** Weights from beside the mode on, every stride, by the logarithms of a law. */
  private static double[] arm(IntToDoubleFunction ln, int mode, int stride) {
    return IntStream.iterate(mode + stride, f -> f >= 0, f -> f + stride)
        .mapToDouble(f -> Math.exp(ln.applyAsDouble(f) - ln.applyAsDouble(mode)))
        .takeWhile(weight -> weight > LEAST)
        .toArray();
  }

  @Test
  void binomialsAddUpToABinomial() {
    for (double p : new double[] {0.003, 0.3, 0.97}) {
      int[] sizes = {7, 400, 60};
      BinomialDistribution whole = new BinomialDistribution(467, p);
      for (int n = (int) (467 * p); n <= 467; n += 9) {
        CountSum sum = new CountSum(sizes.length);
        for (int size : sizes) {
          BinomialDistribution part = new BinomialDistribution(size, p);
          int mode = (int) Math.min(size, (size + 1) * p);
          sum.add(mode, 1, arm(part::logProbability, mode, -1), arm(part::logProbability, mode, 1));
        }
        double wanted = whole.probability(n);
        assertThat(sum.chance(n)).isCloseTo(wanted, within(1e-10 * wanted + 1e-12));
      }
    }
  }

  /** Of wide laws every seventh and every second weight tell as much as all. */
  @Test
  void stridesTellAsMuchAsAll() {
    PoissonDistribution first = new PoissonDistribution(400);
    PoissonDistribution second = new PoissonDistribution(36);
    PoissonDistribution whole = new PoissonDistribution(436);
    for (int n = 400; n < 470; n += 10) {
      CountSum sum = new CountSum(2);
      sum.add(400, 7, arm(first::logProbability, 400, -7), arm(first::logProbability, 400, 7));
      sum.add(36, 2, arm(second::logProbability, 36, -2), arm(second::logProbability, 36, 2));
      double wanted = whole.probability(n);
      assertThat(sum.chance(n)).isCloseTo(wanted, within(1e-9 * wanted));
    }
  }

  @Test
  void partsOfATurnAreAtMostAQuarterTooMany() {
    for (double wanted = 1; wanted < 1e5; wanted *= 1.07) {
      Turns turns = Turns.ofAtLeast(wanted);
      int parts = turns.cosines().length;
      assertThat((double) parts).isBetween(wanted, Math.max(16, 1.25 * wanted + 1));
      assertThat(turns.cosines()[parts / 2]).isCloseTo(-1, within(1e-15));
      assertThat(turns.sines()[parts / 4]).isCloseTo(1, within(1e-15));
    }
  }
}
