// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import java.nio.file.Path;
import java.util.List;

/**
 * The integral-privacy paper's mixture of three Gaussians on a line, reference N(0, 1); our
 * settings have N(0.5, 0.25).
 *
 * @param out folder for tables and plots
 */
public record Mixture1dExperiment(Path out) {
  private static final DensityGrid GRID = new DensityGrid(-4, 4, 1, 4000);

  private static final DensityComparison COMPARISON =
      new DensityComparison(
          "mixture-1d",
          new Gaussians(List.of(component(0.3, 0.01), component(0.5, 0.1), component(0.7, 0.1))),
          Gaussians.of(new double[] {0}, new double[] {1}),
          Gaussians.of(new double[] {0.5}, new double[] {0.5}),
          GRID,
          new double[] {0.1, 0.25, 0.5, 1, 2, 5},
          80,
          new BernsteinMechanism(GRID, 40, 0.02),
          8);

  private static Component component(double mean, double variance) {
    return new Component(1, new double[] {mean}, new double[] {Math.sqrt(variance)});
  }

  /** Steps of the progress. */
  public long steps() {
    return COMPARISON.steps();
  }

  /** Writes {@code mixture-1d.csv}, {@code mixture-1d.png} and {@code mixture-1d-densities.png}. */
  public List<String> run(Runnable progress) throws ExperimentException {
    return COMPARISON.run(out, progress);
  }
}
