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
public record Mixture1dExperiment(Path out) implements Experiment {
  private static final int RECORDS = 10_000;
  static final DensityGrid GRID = new DensityGrid(-4, 4, 1, 4000);

  private static DensityComparison comparison() {
    return new DensityContenders(
            GRID,
            Gaussians.of(new double[] {0}, new double[] {1}),
            Gaussians.of(new double[] {0.5}, new double[] {0.5}),
            RECORDS)
        .comparison(
            "mixture-1d",
            target(),
            80,
            new BernsteinMechanism("Bernstein", -4, 4, 40, 0.02),
            new TunedBernstein(
                "Bernstein, tuned on the truth",
                new double[][] {{-4, 4}, {-1, 2}},
                new int[] {5, 10, 20, 40, 80, 160},
                new double[] {0.01, 0.02, 0.05, 0.1, 0.2}));
  }

  /** P. */
  static Gaussians target() {
    return new Gaussians(List.of(component(0.3, 0.01), component(0.5, 0.1), component(0.7, 0.1)));
  }

  private static Component component(double mean, double variance) {
    return new Component(1, new double[] {mean}, new double[] {Math.sqrt(variance)});
  }

  @Override
  public long steps() {
    return comparison().steps();
  }

  /** Writes {@code mixture-1d.csv}, {@code mixture-1d.png} and {@code mixture-1d-densities.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    return comparison().run(out, progress);
  }
}
