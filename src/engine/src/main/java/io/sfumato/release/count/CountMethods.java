// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.additive.VectorPlanner;
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
  static List<Planned<CountMeasurement<CountQuery>>> ofOneWindow(CountSpec spec) {
    return Stream.of(
            spec.mayBe(CountSpec.Method.GAUSSIAN)
                ? VectorPlanner.gaussianWindows(
                    spec.request(), new CountQuery(), spec.sensitivityOfOneWindow())
                : Optional.<Planned<CountMeasurement<CountQuery>>>empty(),
            spec.mayBe(CountSpec.Method.LAPLACE)
                ? VectorPlanner.laplaceWindows(
                    spec.request(), new CountQuery(), spec.sensitivityOfOneWindow())
                : Optional.<Planned<CountMeasurement<CountQuery>>>empty())
        .flatMap(Optional::stream)
        .sorted(Comparator.comparingLong(plan -> plan.mechanism().noise().halfWidth(1)))
        .toList();
  }

  /** Counts of windows. */
  static Optional<PlannedCount> planned(CountSpec spec) {
    List<Planned<CountMeasurement<CountQuery>>> candidates = ofOneWindow(spec);
    return candidates.stream()
        .findFirst()
        .map(best -> new PlannedCount(spec, Optional.empty(), best, candidates));
  }
}
