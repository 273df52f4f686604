// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.moments.RunningMoments;
import io.sfumato.mechanism.continual.RowCharge;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.release.mean.MeanSpec.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From means over windows of the file to their noise. Reads public facts only. */
record RunningMeanMethods(MeanSpec spec) {
  /** The one that errs least of what the method allows; nothing if the share affords none. */
  Optional<PlannedRunningMean> planned() {
    return Stream.of(
            spec.mayBe(Method.GAUSSIAN) ? gaussian() : none(),
            spec.mayBe(Method.LAPLACE) ? laplace() : none())
        .flatMap(Optional::stream)
        .min(Comparator.comparingDouble(PlannedRunningMean::error));
  }

  /** A plan of either noise, that of the release and the other one, if the share affords it. */
  static List<PlannedRunningMean> both(PlannedRunningMean planned) {
    RunningMeanMethods methods = new RunningMeanMethods(planned.spec());
    Optional<PlannedRunningMean> other =
        planned.isLaplace() ? methods.gaussian() : methods.laplace();
    return Stream.concat(Stream.of(planned), other.stream())
        .sorted(Comparator.comparing(PlannedRunningMean::isLaplace))
        .toList();
  }

  private static Optional<PlannedRunningMean> none() {
    return Optional.empty();
  }

  /**
   * Gaussian noise on rows; nothing without a delta. All parts are drawn: what it tells of a mean
   * is the same, or more.
   */
  private Optional<PlannedRunningMean> gaussian() {
    List<MomentSensitivity> ways = spec.waysOfParts();
    MomentSensitivity window = ways.get(ways.size() - 1);
    RowCharge charge = spec.rowCharge(window);
    return spec.isPure()
        ? none()
        : RunningMoments.gaussian(
                spec.request(),
                charge,
                BestLags.of(spec.over().horizon(), charge.windows(spec.horizon())))
            .map(plan -> planned(plan, window));
  }

  /** Laplace noise on every window's own parts. */
  private Optional<PlannedRunningMean> laplace() {
    return spec.waysOfParts().stream()
        .flatMap(way -> laplace(way).map(plan -> planned(plan, way)).stream())
        .min(Comparator.comparingDouble(PlannedRunningMean::error));
  }

  private Optional<Calibrated<RunningMechanism>> laplace(MomentSensitivity way) {
    return spec.isPure()
        ? RunningMoments.pureLaplace(
            spec.share().ledger(), spec.share().epsilon(), spec.horizon(), spec.rowCharge(way))
        : RunningMoments.laplace(spec.request(), spec.rowCharge(way));
  }

  private PlannedRunningMean planned(Calibrated<RunningMechanism> plan, MomentSensitivity window) {
    return new PlannedRunningMean(spec, plan, window);
  }
}
