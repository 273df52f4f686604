// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import java.util.Arrays;
import java.util.List;

/**
 * Weighted points.
 *
 * @param points at least one
 * @param weights at least 0, adding up to 1
 */
public record WeightedPoints(List<Point> points, double[] weights) {
  /**
   * @throws IllegalArgumentException if there is no point, or not one weight for each
   */
  public WeightedPoints {
    points = List.copyOf(points);
    if (points.isEmpty() || points.size() != weights.length) {
      throw new IllegalArgumentException("a sample has points, and one weight for each");
    }
  }

  /** Equally weighted. */
  public static WeightedPoints of(List<Point> points) {
    double[] weights = new double[points.size()];
    Arrays.fill(weights, 1.0 / points.size());
    return new WeightedPoints(points, weights);
  }

  /** Number of points. */
  public int size() {
    return points.size();
  }
}
