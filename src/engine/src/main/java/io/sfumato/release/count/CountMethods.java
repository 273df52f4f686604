// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From a count of the file to its noise. Reads public facts only. */
final class CountMethods {
  private CountMethods() {}

  /** The plans among which the method chooses, the best first; none if the share affords none. */
  static List<Calibrated<CountMeasurement<CountQuery>>> ofOneWindow(CountSpec spec) {
    return Stream.of(
            spec.mayBe(CountSpec.Method.GAUSSIAN)
                ? VectorCalibrator.gaussianWindows(
                    spec.request(), new CountQuery(), spec.gaussian())
                : Optional.<Calibrated<CountMeasurement<CountQuery>>>empty(),
            spec.mayBe(CountSpec.Method.LAPLACE)
                ? laplace(spec)
                : Optional.<Calibrated<CountMeasurement<CountQuery>>>empty())
        .flatMap(Optional::stream)
        .sorted(Comparator.comparingLong(plan -> plan.mechanism().noise().halfWidth(1)))
        .toList();
  }

  private static Optional<Calibrated<CountMeasurement<CountQuery>>> laplace(CountSpec spec) {
    return spec.chargesRecords()
        ? VectorCalibrator.laplaceRecords(
            spec.request(), new CountQuery(), spec.sensitivityOfOneWindow())
        : VectorCalibrator.laplaceWindows(spec.request(), new CountQuery(), spec.laplace());
  }

  /** Counts of windows. */
  static Optional<PlannedCount> planned(CountSpec spec) {
    List<Calibrated<CountMeasurement<CountQuery>>> candidates = ofOneWindow(spec);
    return candidates.stream()
        .findFirst()
        .map(best -> new PlannedCount(spec, Optional.empty(), best, candidates));
  }
}
