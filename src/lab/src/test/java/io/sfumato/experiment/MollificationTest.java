// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("deep")
class MollificationTest {
  /** Relative error of sums of doubles. */
  private static final double ROUNDING = 1e-9;

  private static double[] random(int cells, double power, KeyedRandom random) {
    return DensityGrid.normalised(
        IntStream.range(0, cells)
            .mapToDouble(i -> Math.pow(-Math.log(random.nextOpenDouble()), power))
            .toArray());
  }

  /** All pairs of random and nearly degenerate densities, by brute force. */
  @ParameterizedTest
  @EnumSource(Mollification.class)
  void anyTwoResultsDifferByAFactorOfAtMostEToTheEpsilon(Mollification way) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("mollification " + way);
    for (double epsilon : new double[] {0.05, 1, 4}) {
      double[] base = random(20, 1, random);
      List<double[]> results = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        double[] q = way.of(random(20, i % 12, random), base, epsilon);
        assertThat(IntStream.range(0, 20).mapToDouble(k -> q[k]).sum())
            .isCloseTo(1, within(ROUNDING));
        assertThat(Mollification.widest(q, base)).isLessThanOrEqualTo(epsilon / 2 + ROUNDING);
        results.add(q);
      }
      double largest = 0;
      for (double[] q : results) {
        for (double[] other : results) {
          for (int k = 0; k < 20; k++) {
            largest = Math.max(largest, Math.log(q[k] / other[k]));
          }
        }
      }
      assertThat(largest).isLessThanOrEqualTo(epsilon + ROUNDING).isGreaterThan(epsilon / 2);
    }
  }

  /** What lies in the mollifier stays; the order of P/Q0 stays; nothing is nearer than (8). */
  @Test
  void modesStayAndTheProjectionIsNearest() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("modes");
    for (int trial = 0; trial < 200; trial++) {
      double[] base = random(8, 0.5, random);
      double[] p = random(8, 2, random);
      double epsilon = 2 * random.nextOpenDouble();
      double wide = 2 * Mollification.widest(p, base) + 1e-6;
      double projected = DensityGrid.kl(p, Mollification.PROJECTION.of(p, base, epsilon));
      for (Mollification way : Mollification.values()) {
        double[] kept = way.of(p, base, wide);
        double[] q = way.of(p, base, epsilon);
        for (int i = 0; i < 8; i++) {
          assertThat(kept[i]).isCloseTo(p[i], within(ROUNDING));
          for (int k = 0; k < 8; k++) {
            if (p[i] / base[i] > p[k] / base[k]) {
              assertThat(q[i] / base[i]).isGreaterThanOrEqualTo(q[k] / base[k] - ROUNDING);
            }
          }
        }
        assertThat(DensityGrid.kl(p, q)).isGreaterThanOrEqualTo(projected - ROUNDING);
      }
    }
  }

  /** Of a Gaussian on a box with a uniform reference a Gaussian of more variance is left. */
  @Test
  void aGaussiansVarianceIsScaled() {
    DensityGrid grid = new DensityGrid(-4, 4, 1, 800);
    double[] flat = DensityGrid.normalised(IntStream.range(0, 800).mapToDouble(i -> 1).toArray());
    double[] q = Mollification.SCALED_VARIANCE.of(gaussian(grid, 0.5), flat, 2);
    // By two cells the precision, and then every cell.
    double[] x = IntStream.range(0, 800).mapToDouble(i -> grid.at(i).numbers()[0]).toArray();
    double precision =
        2 * Math.log(q[450] / q[700]) / (Math.pow(x[700] - 0.5, 2) - Math.pow(x[450] - 0.5, 2));
    assertThat(1 / precision).as("variance").isGreaterThan(0.25);
    assertThat(q).containsExactly(gaussian(grid, Math.sqrt(1 / precision)), within(1e-9));
  }

  private static double[] gaussian(DensityGrid grid, double deviation) {
    Gaussians one = Gaussians.of(new double[] {0.5}, new double[] {deviation});
    return grid.probabilities(point -> one.logDensity(point.numbers()));
  }

  @Test
  void theExperimentsTableAgrees(@TempDir Path folder) throws Exception {
    MollificationExperiment experiment = new MollificationExperiment(folder);
    long[] steps = {0};
    assertThat(experiment.run(() -> steps[0]++)).hasSize((int) experiment.steps());
    assertThat(steps[0]).isEqualTo(experiment.steps());
    assertThat(folder.resolve("mollifications.png")).isNotEmptyFile();
    List<String> rows = Files.readAllLines(folder.resolve("mollifications.csv"));
    assertThat(rows).hasSize((int) experiment.steps() + 1);
    for (String row : rows.subList(1, rows.size())) {
      String[] numbers = row.substring(row.indexOf("\",") + 2).split(",");
      double projection = Double.parseDouble(numbers[4]);
      assertThat(Double.parseDouble(numbers[2])).isGreaterThanOrEqualTo(projection - ROUNDING);
      assertThat(Double.parseDouble(numbers[3])).isGreaterThanOrEqualTo(projection - ROUNDING);
      // Nothing of a mollifier is nearer than its reference but for eps/2.
      assertThat(projection)
          .isGreaterThanOrEqualTo(
              Double.parseDouble(numbers[1]) - Double.parseDouble(numbers[0]) / 2 - 1e-5);
    }
  }
}
