// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.continual.RunningCalibrator;
import io.sfumato.estimate.count.RunningErrors;
import io.sfumato.mechanism.continual.RowCharge;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.count.CountSpec.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Counts whose windows draw a row each: running ones, and those of the last windows. */
record RowMethods(CountSpec spec) {
  /** The best of a file; nothing if the share affords none. */
  Optional<PlannedRelease> planned() {
    return best().map(Candidate::release);
  }

  /** Its error: root mean square over the windows that it is about. */
  OptionalDouble error() {
    return best().stream().mapToDouble(Candidate::error).findFirst();
  }

  private Optional<Candidate> best() {
    return Stream.of(gaussian(), laplace(), tree())
        .flatMap(Optional::stream)
        .min(Comparator.comparingDouble(Candidate::error));
  }

  /**
   * A plan.
   *
   * @param error by which it is chosen: root mean square over windows
   */
  private record Candidate(PlannedRelease release, double error) {
    static Candidate of(PlannedRunningCount counts) {
      return new Candidate(counts, counts.error());
    }
  }

  private Optional<Candidate> gaussian() {
    return spec.mayBe(Method.GAUSSIAN)
        ? RunningCalibrator.gaussian(
                spec.request(),
                charge(),
                BestLags.of(spec.over().horizon(), charge().windows(spec.horizon())),
                0)
            .map(plan -> Candidate.of(planned(plan)))
        : Optional.empty();
  }

  private Optional<Candidate> laplace() {
    return spec.mayBe(Method.LAPLACE)
        ? RunningCalibrator.laplace(spec.request(), charge(), 0)
            .map(plan -> Candidate.of(planned(plan)))
        : Optional.empty();
  }

  /** The binary tree with Laplace noise, where it errs less than independent sums. */
  private Optional<Candidate> tree() {
    boolean mayBeTree = spec.mayBe(Method.LAPLACE) && spec.over().last().isEmpty();
    return mayBeTree
        ? spec.tree()
            .flatMap(this::planned)
            .map(counts -> new Candidate(counts, counts.rootMeanSquare()))
        : Optional.empty();
  }

  private Optional<PlannedCount> planned(CountTree tree) {
    return VectorCalibrator.laplaceWindows(
            spec.request(),
            new CountQuery(),
            spec.period()
                .map(tree::perRecord)
                .orElseGet(() -> tree.perWindow(spec.sensitivityOfOneWindow(), spec.horizon())))
        .map(plan -> new PlannedCount(spec, Optional.of(tree), plan, List.of(plan)));
  }

  private PlannedRunningCount planned(Calibrated<RunningMechanism> plan) {
    return new PlannedRunningCount(spec, plan);
  }

  private RowCharge charge() {
    return RunningErrors.charge(spec.recordsOfUser(), spec.period());
  }
}
