// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;

/**
 * Of repeated measurements.
 *
 * @param mean of them
 * @param deviation their standard deviation, over n
 */
record MeasurementSummary(double mean, double deviation) {
  static MeasurementSummary of(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double variance =
        Arrays.stream(values).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    return new MeasurementSummary(mean, Math.sqrt(variance));
  }
}
