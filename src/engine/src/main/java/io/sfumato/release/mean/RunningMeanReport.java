// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.continual.Horizon;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a plan says of means over windows: the error by noise alone, in each number's own unit. */
final class RunningMeanReport {
  /** Part of an error below which another plan is worth a word. */
  private static final double WORTH = 0.9;

  /** Numbers of windows at which means without an end are told. */
  private static final long[] LATER = {1, 10, 100, 1_000, 10_000};

  /** After so many windows sums of the last ones no longer depend on the beginning. */
  private static final int SETTLED = 100_000;

  private final Pipeline pipeline;
  private final PlannedRunningMean means;
  private final MeanSpec spec;
  private final OverWindows over;
  private final RunningMechanism mechanism;
  private final List<PlannedRunningMean> byMethod;

  RunningMeanReport(Pipeline pipeline, PlannedRunningMean means) {
    this.pipeline = pipeline;
    this.means = means;
    this.spec = means.spec();
    this.over = spec.over();
    this.mechanism = means.plan().mechanism();
    this.byMethod = RunningMeanMethods.both(means);
  }

  /**
   * Windows that are told together.
   *
   * @param windows so far
   * @param last how many of them
   */
  private record Stretch(long windows, long last) {}

  private List<Stretch> running() {
    List<Stretch> stretches = new ArrayList<>();
    if (over.running().isEmpty()) {
      stretches.add(new Stretch(SETTLED, 1));
    } else if (over.running().get() instanceof Horizon.Until until) {
      stretches.add(new Stretch(1, 1));
      stretches.add(new Stretch(until.windows(), until.windows()));
    } else {
      for (long windows : LATER) {
        stretches.add(new Stretch(windows, windows));
      }
    }
    return stretches;
  }

  /** All that are told, with their names. */
  private Map<String, MeanErrors> told() {
    Map<String, MeanErrors> told = new LinkedHashMap<>();
    for (Stretch stretch : running()) {
      String after = "after " + Plurals.of(stretch.last(), "window");
      told.put(over.running().isEmpty() ? "in a window by itself" : after, errors(stretch));
    }
    over.last().ifPresent(n -> told.put("in the last " + n + " windows", means.errors(SETTLED, n)));
    return told;
  }

  private MeanErrors errors(Stretch stretch) {
    return means.errors(stretch.windows(), stretch.last());
  }

  Facts facts() {
    Facts facts =
        MeanReport.of(Facts.of("mean", spec), spec)
            .row("method")
            .words("", "method", mechanism.method())
            .say(
                "discrete noise on one row a window of %d parts of a record: %s",
                spec.moments() + 1 - means.window().firstPart(), rows())
            .share(means)
            .mechanism(means)
            .lasts(pipeline, means)
            .forPrograms()
            .number("", "moments", spec.moments())
            .row("noise")
            .number("standard deviation", "deviation", mechanism.deviation(), "records")
            .forPrograms()
            .words("", "factorisation", mechanism.coefficients().word())
            .row("error")
            .number("95% intervals of", "plan_size", spec.planSize(), "records a window");
    if (over.until().isPresent()) {
      facts.number("reset every", "running", over.until().getAsInt(), "windows");
    } else if (over.running().isPresent()) {
      facts.words("running", "running", "forever");
    }
    over.last().ifPresent(last -> facts.number("and of the last", "over", last, "windows"));
    facts.table("values", spec.values().stream().map(this::one).toList());
    if (byMethod.size() > 1) {
      Map<String, Double> errors = new LinkedHashMap<>();
      byMethod.forEach(plan -> errors.put(method(plan), error(plan)));
      facts
          .row("best of")
          .numbers("root mean square error of sums", "rms_error_by_method", errors, Form.PLAIN);
    }
    return means.errors().countError(facts.warnings(warnings()));
  }

  private Facts one(MeasuredValue value) {
    Facts facts =
        MeanReport.range(Facts.of().words("", "value", value.name()), value)
            .table("errors", running().stream().map(stretch -> one(stretch, value)).toList());
    over.last()
        .ifPresent(
            last ->
                facts.group(
                    "the last ones", "last_errors", one(new Stretch(SETTLED, last), value)));
    return facts;
  }

  private Facts one(Stretch stretch, MeasuredValue value) {
    MeanErrors errors = errors(stretch);
    Facts facts =
        errors.addTo(
            Facts.of()
                .number("of", "windows", stretch.last(), "windows")
                .number("with", "records", errors.records(), "records")
                .bar("number of records", "count_error_95", errors.count(value), ""),
            value);
    independentError(stretch.last(), value)
        .ifPresent(
            error ->
                facts.bar(
                    "mean of as many independent windows, added up,",
                    "independent_mean_error_95",
                    error,
                    ""));
    if (byMethod.size() > 1) {
      Map<String, Double> both = new LinkedHashMap<>();
      byMethod.forEach(plan -> both.put(method(plan), halfWidth(plan, stretch, value)));
      facts.numbers("mean by noise", "mean_error_95_by_method", both, Form.BAR);
    }
    return facts;
  }

  private static String name(PlannedRunningMean plan) {
    return plan.isLaplace() ? "Laplace" : "Gaussian";
  }

  /** Half the width of a mean's interval. */
  private static double halfWidth(PlannedRunningMean plan, Stretch stretch, MeasuredValue value) {
    return plan.errors(stretch.windows(), stretch.last()).of(value).mean().halfWidth();
  }

  private static String method(PlannedRunningMean plan) {
    return plan.plan().mechanism().method();
  }

  /** By which it is chosen: of sums of the first number, less the middle of its range. */
  private double error(PlannedRunningMean plan) {
    return plan.error() * spec.values().get(0).planned().span();
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>(new VagueMeans(spec, told()).warnings());
    byMethod.stream()
        .filter(plan -> plan.error() < WORTH * means.error())
        .forEach(
            plan ->
                warnings.add(
                    "'method: best' would take %s noise: its sums err by %s (root mean square), these by %s"
                        .formatted(
                            name(plan),
                            ReportText.rounded(error(plan)),
                            ReportText.rounded(error(means)))));
    over.last().ifPresent(last -> alone(last).ifPresent(warnings::add));
    return warnings;
  }

  /** Where rows are made for running sums, the last windows by themselves may err less. */
  private Optional<String> alone(int last) {
    MeasuredValue first = spec.values().get(0);
    double rows = halfWidth(means, new Stretch(SETTLED, last), first);
    return independentError(last, first).stream()
        .filter(error -> over.running().isPresent() && error < WORTH * rows)
        .mapToObj(
            error ->
                String.format(
                    Locale.ROOT,
                    "the sum of %,d independent windows has a smaller error, the mean of %s "
                        + "+-%s instead of +-%s: if the last windows matter more, use a separate "
                        + "release for them, or leave out 'running'",
                    last,
                    first.name(),
                    ReportText.rounded(error),
                    ReportText.rounded(rows)))
        .findFirst();
  }

  private OptionalDouble independentError(long windows, MeasuredValue value) {
    return spec.independent(windows).stream()
        .map(error -> new MeanErrors(spec, error, Math.multiplyExact(windows, spec.planSize())))
        .mapToDouble(errors -> errors.of(value).mean().halfWidth())
        .findFirst();
  }

  private String rows() {
    Coefficients coefficients = mechanism.coefficients();
    if (coefficients.band() == 1) {
      return means.isLaplace()
          ? "the window's own parts"
          : "the window's own parts, because sums of these have the least error";
    }
    return over.running().isPresent() && over.until().isEmpty()
        ? "its own and those of all before it, weighted by a decaying square root"
        : "its own and those of the %,d before it, weighted by the square root of running sums"
            .formatted(coefficients.band() - 1);
  }
}
