// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Accountant;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.mechanism.additive.AdditivePlanner;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletPlanner;
import io.sfumato.release.histogram.HistogramSpec.Method;
import io.sfumato.release.histogram.HistogramSpec.Output;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From a histogram release of the file to its mechanism. Reads public facts only. */
public final class HistogramPlanner {
  private HistogramPlanner() {}

  /**
   * The plans among which the method chooses; for {@code best} one of each that the share affords.
   */
  public static List<ReleasePlan> candidates(HistogramSpec spec) {
    return switch (spec.method()) {
      case DIRICHLET -> dirichlet(spec).stream().toList();
      case GAUSSIAN -> gaussian(spec).stream().toList();
      case LAPLACE -> laplace(spec).stream().toList();
      case BEST ->
          Stream.of(dirichlet(spec), gaussian(spec), laplace(spec))
              .flatMap(Optional::stream)
              .toList();
    };
  }

  private static Optional<ReleasePlan> dirichlet(HistogramSpec spec) {
    Optional<ReleasePlan> plan =
        spec.population()
            .map(people -> new DirichletBound.AddOrRemove(people.records()))
            .map(bound -> DirichletPlanner.renyi(spec.request(), bound, spec.model()))
            .orElseGet(
                () -> DirichletPlanner.plan(spec.request(), spec.accountant(), spec.model()));
    if (spec.output() instanceof Output.Counts counts) {
      return plan.map(
          found ->
              new ReleasePlan(
                  found.share(),
                  ((DirichletMechanism) found.mechanism()).asCounts(counts.items()),
                  found.error()));
    }
    return plan;
  }

  private static Optional<ReleasePlan> gaussian(HistogramSpec spec) {
    return AdditivePlanner.gaussian(
        spec.request(), baseline(spec), spec.postProcessing(), spec.sensitivity(), spec.model());
  }

  private static Optional<ReleasePlan> laplace(HistogramSpec spec) {
    return AdditivePlanner.laplace(
        spec.request(), baseline(spec), spec.sensitivity(), spec.model());
  }

  /** The paper bounds the Dirichlet mechanism only; the file is refused if it asks for more. */
  private static Accountant baseline(HistogramSpec spec) {
    return spec.method() == Method.BEST && spec.accountant() == Accountant.PAPER
        ? Accountant.RENYI
        : spec.accountant();
  }
}
