// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.mechanism.count.CountPlanner;
import io.sfumato.mechanism.count.FormerTrees;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From a count of the file to its noise. Reads public facts only. */
public final class CountMethods {
  private CountMethods() {}

  /** The plans among which the method chooses, the best first; none if the share affords none. */
  public static List<CountPlan> candidates(CountSpec spec) {
    return candidates(spec, CountPlanner.laplace(spec.request(), spec.sensitivity()));
  }

  /** The plan of earlier programs, with its true cost; nothing where they planned the same. */
  public static Optional<CountPlan> former(CountSpec spec, CountPlan now) {
    return spec.running()
        .map(tree -> FormerTrees.laplace(spec.request(), tree, spec.sensitivityOfOneWindow()))
        .flatMap(laplace -> candidates(spec, laplace).stream().findFirst())
        .filter(plan -> !plan.isSameAs(now));
  }

  private static List<CountPlan> candidates(CountSpec spec, Optional<CountPlan> laplace) {
    return switch (spec.method()) {
      case GAUSSIAN -> gaussian(spec).stream().toList();
      case LAPLACE -> laplace.stream().toList();
      case BEST ->
          Stream.of(gaussian(spec), laplace)
              .flatMap(Optional::stream)
              .sorted(
                  Comparator.comparingLong(
                      plan -> plan.mechanism().noise().halfWidth(spec.mostDraws())))
              .toList();
    };
  }

  /** Without the tree: what the file would plan for the windows' own counts. */
  public static Optional<CountPlan> ofSingleWindows(CountSpec spec) {
    return candidates(spec.ofSingleWindows()).stream().findFirst();
  }

  private static Optional<CountPlan> gaussian(CountSpec spec) {
    return CountPlanner.gaussian(spec.request(), spec.sensitivity());
  }
}
