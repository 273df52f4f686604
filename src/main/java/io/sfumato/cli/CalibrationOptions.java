// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.console.Terminal;
import io.sfumato.mechanism.PlanningModel;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every calibration of a histogram release is given and prints. */
final class CalibrationOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--categories",
      required = true,
      description = "Number of categories, 2 to 10000.")
  private int categories;

  @Option(
      names = "--plan",
      split = ",",
      description =
          "Public planning histogram, one count a category; by default the k-th most frequent weighs 1/k.")
  private double[] plan = {};

  @Option(
      names = "--plan-size",
      description = "Public planning size; by default the sum of --plan, else 100.")
  private double planSize = Double.NaN;

  @Option(names = "--epsilon", required = true, description = "Above 0.")
  private BigDecimal epsilon;

  @Option(names = "--delta", required = true, description = "Above 0, below 1.")
  private BigDecimal delta;

  @Option(
      names = "--windows",
      description = "Number of releases that epsilon and delta cover together; by default 1.")
  private long windows = 1;

  @Option(
      names = "--accountant",
      description =
          "exact (privacy loss distribution), renyi (the best order) or, for dirichlet, paper (Algorithm 1); by default exact.")
  private Accountant accountant = Accountant.EXACT;

  @Option(names = "--order", description = "Fixed Rényi order for renyi and paper.")
  private double order = Double.NaN;

  @Option(
      names = {"-o", "--output"},
      description = "text or json.")
  private Format format = Format.TEXT;

  Accountant accountant() {
    return accountant;
  }

  /** The order that was asked for, checked. */
  OptionalDouble order() {
    if (Double.isNaN(order)) {
      return OptionalDouble.empty();
    }
    if (accountant == Accountant.EXACT) {
      throw bad("--order: the exact accountant has no order; use --accountant renyi or paper");
    }
    checked("--order", order, RenyiOrders::placeOf);
    return OptionalDouble.of(order);
  }

  ShareRequest request() {
    Epsilon eps = checked("--epsilon", epsilon, Epsilon::new);
    Delta failure = checked("--delta", delta, Delta::new);
    if (failure.value().signum() == 0) {
      throw bad("--delta: found 0, allowed is above 0 and below 1");
    }
    if (windows < 1 || windows > 1_000_000_000) {
      throw bad("--windows: found " + windows + ", allowed is 1 to 1000000000");
    }
    return new ShareRequest("calibrate", eps, failure, windows);
  }

  PlanningModel model() {
    if (categories < 2 || categories > 10_000) {
      throw bad("--categories: found " + categories + ", allowed is 2 to 10000");
    }
    double size = planSize;
    if (Double.isNaN(size)) {
      size = plan.length > 0 ? Arrays.stream(plan).sum() : 100;
    }
    double wanted = size;
    if (plan.length == 0) {
      return checked("--plan-size", size, s -> PlanningModel.zipf(categories, wanted));
    }
    if (plan.length != categories) {
      throw bad("--plan: found " + plan.length + " counts, allowed is " + categories);
    }
    return checked("--plan", Arrays.toString(plan), p -> PlanningModel.ofWeights(plan, wanted));
  }

  /** Prints the plan, or says that there is none. */
  void print(Optional<ReleasePlan> found) throws RefusedException {
    ReleasePlan release =
        found.orElseThrow(
            () ->
                new RefusedException(
                    io.sfumato.runtime.ExitCode.REFUSED_FILE,
                    "nothing is private enough at epsilon %s and delta %s for %d releases; raise epsilon or delta, or plan fewer"
                        .formatted(epsilon, delta, windows)));
    PrintWriter out = Terminal.over(spec.commandLine().getOut());
    if (format == Format.TEXT) {
      out.printf(
          Locale.ROOT,
          "%s: expected KL %.4g nats at epsilon %s, delta %s for %d %s (%s, best order %s)%n",
          release.mechanism().parameters().entrySet().stream()
              .map(CalibrationOptions::shown)
              .collect(Collectors.joining(", ")),
          release.expectedKl(),
          epsilon,
          delta,
          windows,
          windows == 1 ? "release" : "releases",
          accountant.word(),
          release.reportedOrder());
      out.flush();
      return;
    }
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("method", release.mechanism().method());
    release.mechanism().parameters().forEach(json::put);
    json.put("expected_kl", release.expectedKl())
        .put("epsilon", epsilon)
        .put("delta", delta)
        .put("windows", windows)
        .put("accountant", accountant.word())
        .put("order", release.reportedOrder())
        .put("mechanism", release.mechanism().charge().mechanism());
    out.println(json.toPrettyString());
  }

  private static String shown(Map.Entry<String, Double> parameter) {
    return String.format(Locale.ROOT, "%s %.6g", parameter.getKey(), parameter.getValue());
  }

  private <V, T> T checked(String option, V value, Function<V, T> type) {
    try {
      return type.apply(value);
    } catch (IllegalArgumentException e) {
      throw bad(option + ": found " + value + "; " + e.getMessage());
    }
  }

  ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
