// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.release.histogram.HistogramSpec;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Calibrates the mechanism of a histogram: what each is given, and how its plan is printed. */
abstract class HistogramCalibration implements Callable<Integer> {
  @Mixin JsonOrText output;

  @Option(
      names = "--categories",
      paramLabel = "N",
      required = true,
      description = "Number of categories, 2 to 10000.")
  private int categories;

  @Option(
      names = "--plan",
      paramLabel = "SHARE",
      split = ",",
      description =
          "Public planning histogram, one count a category; by default the k-th most frequent"
              + " weighs 1/k.")
  private double[] plan = {};

  @Option(
      names = "--plan-size",
      paramLabel = "RECORDS",
      description = "Public planning size; by default the sum of --plan, else 100.")
  private double planSize = Double.NaN;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of all releases together; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Delta of all releases together; above 0, below 1.")
  private BigDecimal delta;

  @Option(
      names = "--windows",
      paramLabel = "N",
      description = "Number of releases that epsilon and delta cover together; by default 1.")
  private long windows = 1;

  @Option(
      names = "--accountant",
      paramLabel = "ACCOUNTANT",
      description =
          "Accountant: exact (privacy loss distribution), renyi (the best order) or, for "
              + "dirichlet, paper (Algorithm 1); by default exact.")
  private Accountant accountant = Accountant.EXACT;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description = "Fixed Rényi order for renyi and paper.")
  private double order = Double.NaN;

  /** The best plan as the options say; nothing if none is private enough. */
  abstract Optional<PlannedHistogram> plan();

  /** By a method that files have too, without users. */
  final Optional<PlannedHistogram> plan(HistogramSpec.Method method, PostProcessing after) {
    HistogramSpec spec = spec(method, after, Optional.empty(), 0);
    try {
      return Optional.of(spec.plan());
    } catch (UnplannableException e) {
      return Optional.empty();
    }
  }

  /** What a file would say of it. */
  final HistogramSpec spec(
      HistogramSpec.Method method,
      PostProcessing after,
      Optional<Population> population,
      long leastCount) {
    CalibrationTarget request = request();
    return new HistogramSpec(
        OneRelease.head(request.epsilon(), request.delta(), request.horizon()),
        method,
        new HistogramSpec.Output.Probabilities(),
        accountant,
        after,
        Reach.WINDOW,
        population,
        model(),
        leastCount);
  }

  final Accountant accountant() {
    return accountant;
  }

  /** Noise on counts has no calibration of the paper, and no order here. */
  final void requireNoiseAccountant() {
    order();
    if (accountant == Accountant.PAPER) {
      throw output.bad("--accountant: found paper, allowed is exact or renyi");
    }
  }

  /** The order that was asked for, checked. */
  final OptionalDouble order() {
    if (Double.isNaN(order)) {
      return OptionalDouble.empty();
    }
    if (accountant == Accountant.EXACT) {
      throw output.bad(
          "--order: the exact accountant has no order; use --accountant renyi or paper");
    }
    checked("--order", order, RenyiOrders::placeOf);
    return OptionalDouble.of(order);
  }

  final CalibrationTarget request() {
    Epsilon eps = checked("--epsilon", epsilon, Epsilon::new);
    Delta failure = checked("--delta", delta, Delta::new);
    if (failure.value().signum() == 0) {
      throw output.bad("--delta: found 0, allowed is above 0 and below 1");
    }
    output.within("--windows", windows, 1, 1_000_000_000);
    return new CalibrationTarget("calibrate", eps, failure, windows);
  }

  final PlanningModel model() {
    output.within("--categories", categories, 2, 10_000);
    double size = planSize;
    if (Double.isNaN(size)) {
      size = plan.length > 0 ? Arrays.stream(plan).sum() : 100;
    }
    double wanted = size;
    if (plan.length == 0) {
      return checked("--plan-size", size, s -> PlanningModel.zipf(categories, wanted));
    }
    if (plan.length != categories) {
      throw output.bad("--plan: found " + plan.length + " counts, allowed is " + categories);
    }
    return checked("--plan", Arrays.toString(plan), p -> PlanningModel.ofWeights(plan, wanted));
  }

  /** Prints the plan, or says that there is none. */
  @Override
  public final Integer call() throws RefusedException {
    PlannedHistogram planned =
        plan()
            .orElseThrow(
                () ->
                    new RefusedException(
                        ExitCode.REFUSED_FILE,
                        "no noise scale meets epsilon %s and delta %s for %d releases; raise epsilon or delta, or plan fewer releases"
                            .formatted(epsilon, delta, windows)));
    Facts facts = OneRelease.of(planned.spec().population()).facts(planned);
    promise(planned, facts);
    output.print(facts);
    return 0;
  }

  /** Adds what is promised of the error, where a method promises anything. */
  void promise(PlannedHistogram planned, Facts facts) {}

  private <V, T> T checked(String option, V value, Function<V, T> type) {
    try {
      return type.apply(value);
    } catch (IllegalArgumentException e) {
      throw output.bad(option + ": found " + value + "; " + e.getMessage());
    }
  }
}
