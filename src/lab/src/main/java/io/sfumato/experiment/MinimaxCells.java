// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.random.KeyedRandom;

/**
 * The minimax sampler over coarse cells of the grid, each filled like the reference: what it makes
 * of counts of records.
 *
 * @param name in tables
 * @param base Q0: probabilities of the grid's cells
 * @param largest public bound of P/Q0, above 1
 * @param coarse cells in each dimension; divides those of the grid
 */
record MinimaxCells(String name, double[] base, double largest, int coarse)
    implements DensityEstimator {
  @Override
  public Fitted fit(DensityTask task, double epsilon, KeyedRandom random) {
    DensityGrid grid = task.grid();
    int blocks = grid.dimensions() == 1 ? coarse : coarse * coarse;
    double[] shares = new double[blocks];
    for (int i = 0; i < base.length; i++) {
      shares[block(i, grid)] += base[i];
    }
    for (int i = 0; i < blocks; i++) {
      shares[i] = Math.max(shares[i], 1e-9);
    }
    double[] normalised = DensityGrid.normalised(shares);
    long[] counts = new long[blocks];
    for (Point point : task.dataset()) {
      counts[block(grid.cell(point), grid)]++;
    }
    FiniteSampler sampler =
        new FiniteSampler(
            "clipped", LikelihoodRatioBand.clipped(Epsilons.of(epsilon), largest), normalised);
    long[] weights = sampler.weights(new Histogram(counts));
    double[] q = new double[base.length];
    for (int i = 0; i < q.length; i++) {
      int block = block(i, grid);
      q[i] = weights[block] * base[i] / normalised[block];
    }
    return Fitted.of(DensityGrid.normalised(q));
  }

  private int block(int cell, DensityGrid grid) {
    int factor = grid.cells() / coarse;
    return grid.dimensions() == 1
        ? cell / factor
        : cell / grid.cells() / factor * coarse + cell % grid.cells() / factor;
  }
}
