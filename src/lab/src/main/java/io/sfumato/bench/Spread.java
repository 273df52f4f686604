// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Some measurements of one thing.
 *
 * @param median of them
 * @param least of them
 * @param most of them
 */
record Spread(double median, double least, double most) {
  static Spread of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** Ratios of what was measured in the same round. */
  static Spread ofRatios(List<Double> numerators, List<Double> denominators) {
    return of(
        IntStream.range(0, numerators.size())
            .mapToObj(i -> numerators.get(i) / denominators.get(i))
            .toList());
  }
}
