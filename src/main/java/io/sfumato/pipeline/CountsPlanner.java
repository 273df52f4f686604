package io.sfumato.pipeline;

import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.count.CountNoise;
import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.mechanism.count.CountPlanner;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From a count of the file to its noise. Reads public facts only. */
final class CountsPlanner {
  private CountsPlanner() {}

  /** The plans among which the method chooses, the best first; none if the share affords none. */
  static List<CountPlan> candidates(CountSpec spec) {
    return switch (spec.method()) {
      case GAUSSIAN -> gaussian(spec).stream().toList();
      case LAPLACE -> laplace(spec).stream().toList();
      case BEST ->
          Stream.of(gaussian(spec), laplace(spec))
              .flatMap(Optional::stream)
              .sorted(
                  Comparator.comparingLong(
                      plan -> plan.mechanism().noise().halfWidth(spec.mostDraws())))
              .toList();
    };
  }

  /** By the same method without the tree: what the windows' own counts would be. */
  static CountPlan ofSingleWindows(CountSpec spec, CountPlan running) {
    Sensitivity window = spec.sensitivityOfOneWindow();
    Optional<CountPlan> plan =
        running.mechanism().noise() instanceof CountNoise.Gaussian
            ? CountPlanner.gaussian(spec.request(), window)
            : CountPlanner.laplace(spec.request(), window);
    return plan.orElseThrow();
  }

  private static Optional<CountPlan> gaussian(CountSpec spec) {
    return CountPlanner.gaussian(spec.request(), spec.sensitivity());
  }

  private static Optional<CountPlan> laplace(CountSpec spec) {
    return CountPlanner.laplace(spec.request(), spec.sensitivity());
  }
}
