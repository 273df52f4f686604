// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.additive.AdditiveCalibrator;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.release.histogram.HistogramSpec.Method;
import io.sfumato.release.histogram.HistogramSpec.Output;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From a histogram release of the file to its mechanism. Reads public facts only. */
public final class HistogramCalibrator {
  private HistogramCalibrator() {}

  /**
   * The plans among which the method chooses; for {@code best} one of each that the share affords.
   * A Dirichlet draw has no noisy counts to learn from.
   */
  public static List<HistogramPlan> candidates(HistogramSpec spec) {
    return switch (spec.method()) {
      case DIRICHLET -> dirichlet(spec).stream().toList();
      case GAUSSIAN -> gaussian(spec).stream().toList();
      case LAPLACE -> laplace(spec).stream().toList();
      case BEST ->
          Stream.of(
                  spec.usesHistory() ? Optional.<HistogramPlan>empty() : dirichlet(spec),
                  gaussian(spec),
                  laplace(spec))
              .flatMap(Optional::stream)
              .toList();
    };
  }

  private static Optional<HistogramPlan> dirichlet(HistogramSpec spec) {
    DirichletBound bound = bound(spec);
    Optional<HistogramPlan> plan =
        spec.accountant() == Accountant.EXACT && spec.population().isEmpty()
            ? DirichletCalibrator.exact(spec.request(), bound, spec.model())
            : DirichletCalibrator.renyi(spec.request(), bound, spec.model());
    if (spec.output() instanceof Output.Counts counts) {
      return plan.map(
          found ->
              HistogramPlan.of(
                  new Calibrated<>(
                      found.share(),
                      ((DirichletMechanism) found.mechanism()).asCounts(counts.items())),
                  found.error()));
    }
    return plan;
  }

  private static DirichletBound bound(HistogramSpec spec) {
    DirichletBound bound =
        spec.population()
            .<DirichletBound>map(people -> new DirichletBound.AddOrRemove(people.records()))
            .orElseGet(
                () ->
                    spec.accountant() == Accountant.PAPER
                        ? new DirichletBound.Paper()
                        : new DirichletBound.ReplaceOne());
    return spec.leastCount() > 0 ? new DirichletBound.LeastCount(spec.leastCount(), bound) : bound;
  }

  private static Optional<HistogramPlan> gaussian(HistogramSpec spec) {
    return AdditiveCalibrator.gaussian(
        spec.request(), baseline(spec), spec.postProcessing(), spec.sensitivity(), spec.model());
  }

  private static Optional<HistogramPlan> laplace(HistogramSpec spec) {
    return AdditiveCalibrator.laplace(
        spec.request(), baseline(spec), spec.sensitivity(), spec.model());
  }

  /** The paper bounds the Dirichlet mechanism only; the file is refused if it asks for more. */
  private static Accountant baseline(HistogramSpec spec) {
    return spec.method() == Method.BEST && spec.accountant() == Accountant.PAPER
        ? Accountant.RENYI
        : spec.accountant();
  }
}
