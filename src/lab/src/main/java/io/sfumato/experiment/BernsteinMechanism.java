// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;

/**
 * The papers' contender (Alda, Rubinstein 2017): a kernel density on a lattice of (K+1)^d points of
 * a box, each with Laplace noise, interpolated by Bernstein polynomials, then shifted and scaled to
 * be positive, as the papers do without caring for privacy. Its epsilon is for one record.
 *
 * @param name in tables
 * @param low of the box, in each dimension
 * @param high of the box
 * @param order K
 * @param bandwidth of the kernel, in units of the box
 */
record BernsteinMechanism(String name, double low, double high, int order, double bandwidth)
    implements DensityEstimator {
  private static final int DRAWS = 5;

  /** Where the box is smaller than the grid, so much of the density lies evenly on the grid. */
  private static final double OUTSIDE = 1e-3;

  @Override
  public int draws() {
    return DRAWS;
  }

  @Override
  public Fitted fit(DensityTask task, double epsilon, KeyedRandom random) {
    return Fitted.of(release(task, lattice(task), epsilon, random));
  }

  /**
   * What does not hang on the noise.
   *
   * @param coefficients kernel density on the lattice
   * @param basis polynomials at the middles of a line of cells; 0 outside the box
   * @param inside cells of the grid that lie in the box
   */
  record Lattice(double[] coefficients, double[][] basis, boolean[] inside) {}

  /** Of a task. */
  Lattice lattice(DensityTask task) {
    DensityGrid grid = task.grid();
    boolean[] inside = new boolean[grid.size()];
    for (int cell = 0; cell < inside.length; cell++) {
      inside[cell] = Arrays.stream(grid.at(cell).numbers()).allMatch(x -> x > low && x < high);
    }
    double[][] basis = new double[grid.cells()][];
    for (int i = 0; i < basis.length; i++) {
      double x = (grid.low() + (i + 0.5) * grid.width() - low) / (high - low);
      basis[i] = x > 0 && x < 1 ? basis(x) : new double[order + 1];
    }
    return new Lattice(coefficients(task), basis, inside);
  }

  private double[] coefficients(DensityTask task) {
    List<Point> dataset = task.dataset();
    int d = task.grid().dimensions();
    int side = order + 1;
    double peak = peak(d);
    double[] coefficients = new double[points(d)];
    for (Point point : dataset) {
      double[] unit = Arrays.stream(point.numbers()).map(x -> (x - low) / (high - low)).toArray();
      for (int i = 0; i < coefficients.length; i++) {
        double first = (d == 1 ? i : i / side) / (double) order - unit[0];
        double second = d == 1 ? 0 : i % side / (double) order - unit[1];
        double squared = (first * first + second * second) / (2 * bandwidth * bandwidth);
        coefficients[i] += squared < 40 ? peak * Math.exp(-squared) / dataset.size() : 0;
      }
    }
    return coefficients;
  }

  private int points(int dimensions) {
    return dimensions == 1 ? order + 1 : (order + 1) * (order + 1);
  }

  private double peak(int dimensions) {
    return Math.pow(bandwidth * Math.sqrt(2 * Math.PI), -dimensions);
  }

  /** Probabilities of the grid's cells, from the lattice with fresh noise. */
  double[] release(DensityTask task, Lattice lattice, double epsilon, KeyedRandom random) {
    DensityGrid grid = task.grid();
    int d = grid.dimensions();
    // Replacing one record moves each coefficient by at most peak / n.
    double scale = peak(d) / task.dataset().size() * points(d) / epsilon;
    double[] noisy = lattice.coefficients().clone();
    for (int i = 0; i < noisy.length; i++) {
      double u = random.nextOpenDouble() - 0.5;
      noisy[i] -= scale * Math.signum(u) * Math.log1p(-2 * Math.abs(u));
    }
    double[] values = interpolated(noisy, lattice.basis(), grid);
    boolean[] inside = lattice.inside();
    double least = 0;
    for (int cell = 0; cell < values.length; cell++) {
      least = inside[cell] ? Math.min(least, values[cell]) : least;
    }
    int held = 0;
    for (int cell = 0; cell < values.length; cell++) {
      values[cell] = inside[cell] ? values[cell] - least + 1e-12 : 0;
      held += inside[cell] ? 1 : 0;
    }
    double[] q = DensityGrid.normalised(values);
    if (held < q.length) {
      Arrays.setAll(q, i -> (1 - OUTSIDE) * q[i] + OUTSIDE / q.length);
    }
    return q;
  }

  /** Bernstein polynomials through the lattice at the middles of the cells; outside 0. */
  private double[] interpolated(double[] coefficients, double[][] basis, DensityGrid grid) {
    int side = order + 1;
    int lines = grid.dimensions() == 1 ? 1 : grid.cells();
    double[] values = new double[grid.size()];
    for (int line = 0; line < lines; line++) {
      // Of a lattice in the plane the line of the polynomials at the first number.
      double[] along = coefficients;
      if (grid.dimensions() == 2) {
        along = new double[side];
        for (int k = 0; k < side; k++) {
          for (int i = 0; i < side; i++) {
            along[k] += coefficients[i * side + k] * basis[line][i];
          }
        }
      }
      for (int cell = 0; cell < grid.cells(); cell++) {
        double sum = 0;
        for (int k = 0; k < side; k++) {
          sum += along[k] * basis[cell][k];
        }
        values[line * grid.cells() + cell] = sum;
      }
    }
    return values;
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
