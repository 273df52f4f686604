// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The random mixtures of the minimax sampler's paper (Park, Asoodeh, Lee 2024), as its code draws
 * them: min(1 + Poisson(2), 10) Gaussians of variance 1, means uniform on [-1, 1], weights
 * Dirichlet(1, ..., 1), cut to [-4, 4].
 */
final class RandomMixtures {
  static final DensityGrid GRID = new DensityGrid(-4, 4, 1, 800);

  private static final int MOST = 10;
  private static final double POISSON_MEAN = 2;
  private static final double LARGEST_MEAN = 1;

  private RandomMixtures() {}

  /** The task of a mixture, with a public seed. */
  static DensityTask task(int mixture, int records) {
    String name = "random-1d " + mixture;
    KeyedRandom random = KeyedRandom.ofPublicSeed(name);
    int count = Math.min(1 + poisson(random), MOST);
    List<Component> components = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double mean = LARGEST_MEAN * (2 * random.nextOpenDouble() - 1);
      double weight = -Math.log(random.nextOpenDouble()); // normalised: Dirichlet(1, ..., 1)
      components.add(component(weight, mean));
    }
    return DensityTask.of(name, GRID, new Gaussians(components), records, random);
  }

  private static int poisson(KeyedRandom random) {
    double product = random.nextOpenDouble();
    int k = 0;
    while (product > Math.exp(-POISSON_MEAN)) {
      product *= random.nextOpenDouble();
      k++;
    }
    return k;
  }

  private static Component component(double weight, double mean) {
    return new Component(weight, new double[] {mean}, new double[] {1});
  }

  /** MBDE's published reference. */
  static Gaussians normal() {
    return new Gaussians(List.of(component(1, 0)));
  }

  /** What the setting says of a mixture before one is drawn: the mean of all of them. */
  static Gaussians mean() {
    int steps = 8;
    return new Gaussians(
        IntStream.rangeClosed(0, steps)
            .mapToObj(
                i ->
                    component(i == 0 || i == steps ? 0.5 : 1, LARGEST_MEAN * (2.0 * i / steps - 1)))
            .toList());
  }

  /**
   * The largest density that a mixture may have at each cell, times the cell's width: the minimax
   * sampler's reference but for its total, which is the largest P/Q0.
   */
  static double[] envelope() {
    int steps = 200;
    double[] largest = new double[GRID.size()];
    for (int i = 0; i <= steps; i++) {
      Component component = component(1, LARGEST_MEAN * (2.0 * i / steps - 1));
      Gaussians one = new Gaussians(List.of(component));
      double[] p = GRID.probabilities(x -> one.logDensity(x.numbers()));
      for (int cell = 0; cell < largest.length; cell++) {
        largest[cell] = Math.max(largest[cell], p[cell]);
      }
    }
    return largest;
  }
}
