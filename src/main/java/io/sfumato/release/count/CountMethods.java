// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.count.CountMechanism;
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
  public static List<Planned<CountMechanism>> candidates(CountSpec spec) {
    return candidates(spec, CountPlanner.laplace(spec.request(), spec.sensitivity()));
  }

  /** The plan of earlier programs, with its true cost; nothing where they planned the same. */
  public static Optional<Planned<CountMechanism>> former(
      CountSpec spec, Planned<CountMechanism> now) {
    return spec.running()
        .map(tree -> FormerTrees.laplace(spec.request(), tree, spec.sensitivityOfOneWindow()))
        .flatMap(laplace -> candidates(spec, laplace).stream().findFirst())
        .filter(plan -> !isSame(plan, now));
  }

  /** Whether both draw with the same noise from the same share. */
  private static boolean isSame(Planned<CountMechanism> plan, Planned<CountMechanism> other) {
    return plan.share().equals(other.share())
        && plan.mechanism().noise().equals(other.mechanism().noise());
  }

  private static List<Planned<CountMechanism>> candidates(
      CountSpec spec, Optional<Planned<CountMechanism>> laplace) {
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
  public static Optional<Planned<CountMechanism>> ofSingleWindows(CountSpec spec) {
    return candidates(spec.ofSingleWindows()).stream().findFirst();
  }

  private static Optional<Planned<CountMechanism>> gaussian(CountSpec spec) {
    return CountPlanner.gaussian(spec.request(), spec.sensitivity());
  }
}
