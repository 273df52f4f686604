// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * A dataset whose density is wanted, and the truth that it was drawn from.
 *
 * @param name of the task: what is drawn at random hangs on it
 * @param grid on which densities are asked for and measured
 * @param truth P: probabilities of the grid's cells. For measures, and for contenders that are said
 *     to know it
 * @param dataset drawn from P, within the grid
 */
record DensityTask(String name, DensityGrid grid, double[] truth, List<Point> dataset) {
  DensityTask {
    dataset = List.copyOf(dataset);
  }

  /** Records of a mixture, drawn with a public seed: those outside the grid are drawn again. */
  static DensityTask of(String name, DensityGrid grid, Gaussians target, int records) {
    return of(name, grid, target, records, KeyedRandom.ofPublicSeed(name));
  }

  /** The same with a stream of its own, of which something may have been taken before. */
  static DensityTask of(
      String name, DensityGrid grid, Gaussians target, int records, KeyedRandom random) {
    List<Point> dataset = new ArrayList<>();
    while (dataset.size() < records) {
      Point x = new Point(0, target.draw(random));
      if (grid.holds(x)) {
        dataset.add(x);
      }
    }
    return new DensityTask(
        name, grid, grid.probabilities(x -> target.logDensity(x.numbers())), dataset);
  }
}
