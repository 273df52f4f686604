// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
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
          "Public planning histogram, one count a category; by default the k-th most frequent weighs 1/k.")
  private double[] plan = {};

  @Option(
      names = "--plan-size",
      paramLabel = "RECORDS",
      description = "Public planning size; by default the sum of --plan, else 100.")
  private double planSize = Double.NaN;

  @Option(names = "--epsilon", paramLabel = "EPSILON", required = true, description = "Above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Above 0, below 1.")
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
          "exact (privacy loss distribution), renyi (the best order) or, for dirichlet, paper (Algorithm 1); by default exact.")
  private Accountant accountant = Accountant.EXACT;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description = "Fixed Rényi order for renyi and paper.")
  private double order = Double.NaN;

  /** The best plan as the options say, if any is private enough. */
  abstract Optional<HistogramPlan> plan();

  final Accountant accountant() {
    return accountant;
  }

  /** That of noise on counts, for which no paper has a calibration, and which has no order here. */
  final Accountant accountantOfNoise() {
    order();
    if (accountant == Accountant.PAPER) {
      throw output.bad("--accountant: found paper, allowed is exact or renyi");
    }
    return accountant;
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

  final ShareRequest request() {
    Epsilon eps = checked("--epsilon", epsilon, Epsilon::new);
    Delta failure = checked("--delta", delta, Delta::new);
    if (failure.value().signum() == 0) {
      throw output.bad("--delta: found 0, allowed is above 0 and below 1");
    }
    output.within("--windows", windows, 1, 1_000_000_000);
    return new ShareRequest("calibrate", eps, failure, windows);
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
    HistogramPlan release =
        plan()
            .orElseThrow(
                () ->
                    new RefusedException(
                        ExitCode.REFUSED_FILE,
                        "nothing is private enough at epsilon %s and delta %s for %d releases; raise epsilon or delta, or plan fewer"
                            .formatted(epsilon, delta, windows)));
    ObjectNode json = JsonOrText.object().put("method", release.mechanism().method());
    release.mechanism().parameters().forEach(json::put);
    List<String> lines = new ArrayList<>();
    json.put("expected_kl", release.expectedKl())
        .put("epsilon", epsilon)
        .put("delta", delta)
        .put("windows", windows)
        .put("accountant", accountant.word())
        .put("order", release.reportedOrder())
        .put("mechanism", release.mechanism().charge().mechanism());
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: expected KL %.4g nats at epsilon %s, delta %s for %d %s (%s, best order %s)",
            release.mechanism().parameters().entrySet().stream()
                .map(HistogramCalibration::shown)
                .collect(Collectors.joining(", ")),
            release.expectedKl(),
            epsilon,
            delta,
            windows,
            windows == 1 ? "release" : "releases",
            accountant.word(),
            release.reportedOrder()));
    promise(release, json, lines);
    output.print(json, String.join(System.lineSeparator(), lines));
    return 0;
  }

  /** Adds what is promised of the error, where a method promises anything. */
  void promise(HistogramPlan release, ObjectNode json, List<String> lines) {}

  private static String shown(Map.Entry<String, Double> parameter) {
    return String.format(Locale.ROOT, "%s %.6g", parameter.getKey(), parameter.getValue());
  }

  private <V, T> T checked(String option, V value, Function<V, T> type) {
    try {
      return type.apply(value);
    } catch (IllegalArgumentException e) {
      throw output.bad(option + ": found " + value + "; " + e.getMessage());
    }
  }
}
