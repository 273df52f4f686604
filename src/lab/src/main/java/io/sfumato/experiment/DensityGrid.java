// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Point;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Densities on equal cells of a box, by their probabilities: every measure is a sum, the same for
 * every contender.
 *
 * @param low of each number
 * @param high of each number
 * @param cells in each dimension
 */
record DensityGrid(double low, double high, int dimensions, int cells) {
  /** Below it a probability says nothing but that the density vanishes. */
  private static final double FLOOR = 1e-300;

  private static final double COVERED = 0.95;

  int size() {
    return dimensions == 1 ? cells : cells * cells;
  }

  double width() {
    return (high - low) / cells;
  }

  /** Middle of a cell. */
  Point at(int cell) {
    double[] x = new double[dimensions];
    int rest = cell;
    for (int i = dimensions - 1; i >= 0; i--) {
      x[i] = low + (rest % cells + 0.5) * width();
      rest /= cells;
    }
    return new Point(0, x);
  }

  /** Whether a point lies in the box. */
  boolean holds(Point point) {
    return Arrays.stream(point.numbers()).allMatch(x -> x > low && x < high);
  }

  /** The cell of a point; of a point outside the nearest one. */
  int cell(Point point) {
    int cell = 0;
    for (double x : point.numbers()) {
      double place = (x - low) / width();
      cell = cell * cells + (int) Math.max(0, Math.min(cells - 1.0, place));
    }
    return cell;
  }

  /** Probabilities of the cells, from an unnormalised log-density. */
  double[] probabilities(ToDoubleFunction<Point> logDensity) {
    double[] logs =
        IntStream.range(0, size())
            .parallel()
            .mapToDouble(i -> logDensity.applyAsDouble(at(i)))
            .toArray();
    double most = Arrays.stream(logs).max().orElseThrow();
    return normalised(Arrays.stream(logs).map(log -> Math.exp(log - most)).toArray());
  }

  static double[] normalised(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }

  /** -E_P ln Q, of densities. */
  double nll(double[] p, double[] q) {
    double volume = Math.pow(width(), dimensions);
    double sum = 0;
    for (int i = 0; i < p.length; i++) {
      sum -= p[i] > 0 ? p[i] * Math.log(Math.max(FLOOR, q[i]) / volume) : 0;
    }
    return sum;
  }

  static double kl(double[] p, double[] q) {
    double sum = 0;
    for (int i = 0; i < p.length; i++) {
      sum += p[i] > 0 ? p[i] * Math.log(p[i] / Math.max(FLOOR, q[i])) : 0;
    }
    return sum;
  }

  /** Mode coverage: P of the densest cells that hold 95% of Q. */
  static double coverage(double[] p, double[] q) {
    int[] order =
        IntStream.range(0, q.length)
            .boxed()
            .sorted((i, k) -> Double.compare(q[k], q[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    double held = 0;
    double covered = 0;
    for (int i = 0; i < order.length && held < COVERED; i++) {
      held += q[order[i]];
      covered += p[order[i]];
    }
    return covered;
  }
}
