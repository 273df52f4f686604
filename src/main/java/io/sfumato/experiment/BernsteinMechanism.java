// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.noise.ReplayableRandom;
import java.util.Arrays;
import java.util.List;

/**
 * The papers' contender (Alda, Rubinstein 2017): a kernel density on a lattice of (K+1)^d points,
 * each with Laplace noise, interpolated by Bernstein polynomials, then shifted and scaled to be
 * positive, as the papers do without caring for privacy.
 *
 * @param grid on which the density is wanted; the polynomials live on its box
 * @param order K
 * @param bandwidth of the kernel, in units of the box
 */
record BernsteinMechanism(DensityGrid grid, int order, double bandwidth) {
  /** Probabilities of the grid's cells. */
  double[] release(List<Point> dataset, double epsilon, ReplayableRandom random) {
    int d = grid.dimensions();
    int side = order + 1;
    int lattice = d == 1 ? side : side * side;
    double peak = Math.pow(bandwidth * Math.sqrt(2 * Math.PI), -d);
    double[] coefficients = new double[lattice];
    for (Point point : dataset) {
      double[] unit =
          Arrays.stream(point.numbers())
              .map(x -> (x - grid.low()) / (grid.high() - grid.low()))
              .toArray();
      for (int i = 0; i < lattice; i++) {
        double first = (d == 1 ? i : i / side) / (double) order - unit[0];
        double second = d == 1 ? 0 : i % side / (double) order - unit[1];
        double squared = (first * first + second * second) / (2 * bandwidth * bandwidth);
        coefficients[i] += squared < 40 ? peak * Math.exp(-squared) / dataset.size() : 0;
      }
    }
    // Replacing one record moves each coefficient by at most peak / n.
    double scale = peak / dataset.size() * lattice / epsilon;
    for (int i = 0; i < lattice; i++) {
      double u = random.nextOpenDouble() - 0.5;
      coefficients[i] -= scale * Math.signum(u) * Math.log1p(-2 * Math.abs(u));
    }
    double[] values = new double[grid.size()];
    double[][] basis = new double[grid.cells()][];
    for (int i = 0; i < basis.length; i++) {
      basis[i] = basis((i + 0.5) / grid.cells());
    }
    for (int cell = 0; cell < values.length; cell++) {
      double[] first = basis[d == 1 ? cell : cell / grid.cells()];
      double sum = 0;
      for (int i = 0; i < side; i++) {
        if (d == 1) {
          sum += coefficients[i] * first[i];
        } else {
          double[] second = basis[cell % grid.cells()];
          double line = 0;
          for (int k = 0; k < side; k++) {
            line += coefficients[i * side + k] * second[k];
          }
          sum += line * first[i];
        }
      }
      values[cell] = sum;
    }
    double least = Math.min(0, Arrays.stream(values).min().orElseThrow());
    return DensityGrid.normalised(Arrays.stream(values).map(v -> v - least + 1e-12).toArray());
  }

  /** Bernstein polynomials of the order at x in (0, 1). */
  private double[] basis(double x) {
    double[] basis = new double[order + 1];
    double log = order * Math.log1p(-x);
    double odds = Math.log(x) - Math.log1p(-x);
    for (int i = 0; i <= order; i++) {
      basis[i] = Math.exp(log);
      log += odds + Math.log((order - i) / (i + 1.0));
    }
    return basis;
  }
}
