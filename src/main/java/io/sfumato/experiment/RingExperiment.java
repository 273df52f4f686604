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
public record RingExperiment(Path out) {
  private static final int MODES = 8;
  private static final double RADIUS = 4;

  private static final DensityComparison COMPARISON =
      new DensityComparison(
          "ring",
          target(),
          Gaussians.of(new double[] {0, 0}, new double[] {1, 1}),
          Gaussians.of(new double[] {0, 0}, new double[] {3, 3}),
          new DensityGrid(-8, 8, 2, 160),
          new double[] {0.1, 0.25, 0.5, 1, 2, 5},
          40,
          new BernsteinMechanism(new DensityGrid(-8, 8, 2, 160), 20, 0.05),
          8);

  private static Gaussians target() {
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

  /** Steps of the progress. */
  public long steps() {
    return COMPARISON.steps();
  }

  /** Writes {@code ring.csv}, {@code ring.png} and {@code ring-densities.png}. */
  public List<String> run(Runnable progress) throws ExperimentException {
    return COMPARISON.run(out, progress);
  }
}
