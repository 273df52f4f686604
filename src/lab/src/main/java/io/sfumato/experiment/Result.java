// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * One mechanism at one epsilon on one data set.
 *
 * @param dataset its name
 * @param mechanism its title
 * @param epsilon of the whole model; none where there is no privacy, or nothing but it
 * @param metrics in the table's order
 * @param parameters of the mechanism
 */
record Result(
    String dataset,
    String mechanism,
    OptionalDouble epsilon,
    List<MeasurementSummary> metrics,
    String parameters) {

  /** Of repeated scores, each with one number a metric. */
  static Result of(
      String dataset,
      String mechanism,
      OptionalDouble epsilon,
      List<double[]> scores,
      String parameters) {
    List<MeasurementSummary> metrics =
        IntStream.range(0, scores.get(0).length)
            .mapToObj(
                m ->
                    MeasurementSummary.of(scores.stream().mapToDouble(score -> score[m]).toArray()))
            .toList();
    return new Result(dataset, mechanism, epsilon, metrics, parameters);
  }
}
