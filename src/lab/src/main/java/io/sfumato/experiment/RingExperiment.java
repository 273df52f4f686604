// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Eight Gaussians on a circle of radius 4, component variance 0.5, reference N(0, I) (figures 4 and
 * 5 of the integral-privacy paper); our settings have the reference N(0, 9 I).
 *
 * @param out folder for tables and plots
 */
public record RingExperiment(Path out) implements Experiment {
  private static final int MODES = 8;
  private static final double RADIUS = 4;
  private static final int RECORDS = 10_000;
  private static final DensityGrid GRID = new DensityGrid(-8, 8, 2, 160);

  /**
   * The references of the plane.
   *
   * @param seen records that the papers' network sees
   */
  static DensityContenders contenders(int seen) {
    return new DensityContenders(
        GRID,
        Gaussians.of(new double[] {0, 0}, new double[] {1, 1}),
        Gaussians.of(new double[] {0, 0}, new double[] {3, 3}),
        seen);
  }

  /** The Bernstein mechanism on the plane, as it was and tuned. */
  static DensityEstimator[] bernstein() {
    return new DensityEstimator[] {
      new BernsteinMechanism("Bernstein", -8, 8, 20, 0.05),
      new TunedBernstein(
          "Bernstein, tuned on the truth",
          new double[][] {{-8, 8}, {-6.5, 6.5}},
          new int[] {4, 6, 8, 10, 14, 20},
          new double[] {0.03, 0.05, 0.08, 0.12, 0.2})
    };
  }

  private static DensityComparison comparison() {
    return contenders(RECORDS).comparison("ring", target(), 40, bernstein());
  }

  /** P. */
  static Gaussians target() {
    List<Component> components = new ArrayList<>();
    double deviation = Math.sqrt(0.5);
    for (int i = 0; i < MODES; i++) {
      double angle = 2 * Math.PI * i / MODES;
      components.add(
          new Component(
              1,
              new double[] {RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)},
              new double[] {deviation, deviation}));
    }
    return new Gaussians(components);
  }

  @Override
  public long steps() {
    return comparison().steps();
  }

  /** Writes {@code ring.csv}, {@code ring.png} and {@code ring-densities.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    return comparison().run(out, progress);
  }
}
