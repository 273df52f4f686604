// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.estimate.running.Extent;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** What a plan says of means over windows: the error by noise alone, in each number's own unit. */
final class RunningMeanReport implements ReleaseReport {
  /** Part of an error below which another plan is worth a word. */
  private static final double WORTH = 0.9;

  /** Numbers of windows at which means without an end are told. */
  private static final long[] LATER = {1, 10, 100, 1_000, 10_000};

  /** After so many windows sums of the last ones no longer depend on the beginning. */
  private static final int SETTLED = 100_000;

  private final PlannedRunningMean means;
  private final MeanSpec spec;
  private final OverWindows over;
  private final RunningMechanism mechanism;
  private final Period period;
  private final List<PlannedRunningMean> byMethod;

  RunningMeanReport(Pipeline pipeline, PlannedRunningMean means) {
    this.means = means;
    this.spec = means.spec();
    this.over = spec.over();
    this.mechanism = means.plan().mechanism();
    this.period = pipeline.budget().period();
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
    } else if (over.running().get() instanceof Extent.Until until) {
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
      String after = "after " + Amount.of(stretch.last(), "window");
      told.put(over.running().isEmpty() ? "in a window by itself" : after, errors(stretch));
    }
    over.last().ifPresent(n -> told.put("in the last " + n + " windows", means.errors(SETTLED, n)));
    return told;
  }

  private MeanErrors errors(Stretch stretch) {
    return means.errors(stretch.windows(), stretch.last());
  }

  @Override
  public void text(StringBuilder text) {
    ReportText.head(text, "mean", means);
    MeanReport.of(text, spec);
    ReportText.line(
        text,
        "  method     discrete %s noise with standard deviation %s records on one row a window of %d parts of a record: %s%s",
        name(means),
        ReportText.rounded(mechanism.deviation()),
        spec.moments() + 1 - means.window().firstPart(),
        rows(),
        alternatives());
    ReportText.line(
        text,
        "  cost       %s",
        ReportText.lasts(period, means.plan().releases(), spec.population().isPresent()));
    ReportText.line(text, "  error      of %,d records a window, 95%%%s", spec.planSize(), how());
    for (Stretch stretch : running()) {
      line(text, over.running().isEmpty() ? "each" : "after %,d", stretch);
    }
    over.last().ifPresent(last -> line(text, "last %,d", new Stretch(SETTLED, last)));
    warnings().forEach(warning -> ReportText.line(text, "  warning    %s", warning));
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

  private String alternatives() {
    return byMethod.size() < 2
        ? ""
        : byMethod.stream()
            .map(plan -> method(plan) + " " + ReportText.rounded(error(plan)))
            .collect(Collectors.joining(", ", " (root mean square error of sums: ", ")"));
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
                    "%,d windows that are drawn each by itself, added up, err less, the mean of %s by +-%s instead of +-%s:"
                        + " where the last windows matter more, ask for them in a release of their own, or leave 'running' out",
                    last,
                    first.name(),
                    ReportText.rounded(error),
                    ReportText.rounded(rows)))
        .findFirst();
  }

  private void line(StringBuilder text, String which, Stretch stretch) {
    MeanErrors errors = errors(stretch);
    String label = String.format(Locale.ROOT, which, stretch.last());
    for (MeasuredValue value : spec.values()) {
      ReportText.line(text, "  %-10s %s%s", label, errors.text(value), independent(stretch, value));
    }
  }

  private static String width(PlannedRunningMean plan, Stretch stretch, MeasuredValue value) {
    return ReportText.rounded(halfWidth(plan, stretch, value));
  }

  /** For comparison: windows by other noise, or as they would be without the others. */
  private String independent(Stretch stretch, MeasuredValue value) {
    if (means.isLaplace()) {
      return byMethod.stream()
          .filter(plan -> !plan.isLaplace())
          .map(plan -> " (by Gaussian rows: mean +-" + width(plan, stretch, value) + ")")
          .findFirst()
          .orElse("");
    }
    long windows = stretch.last();
    return independentError(windows, value).stream()
        .mapToObj(ReportText::rounded)
        .map(
            error ->
                windows == 1
                    ? " (a window by itself: mean +-%s)".formatted(error)
                    : String.format(
                        Locale.ROOT,
                        " (%,d independent windows, added up: mean +-%s)",
                        windows,
                        error))
        .findFirst()
        .orElse("");
  }

  private OptionalDouble independentError(long windows, MeasuredValue value) {
    return spec.independent(windows).stream()
        .map(error -> new MeanErrors(spec, error, Math.multiplyExact(windows, spec.planSize())))
        .mapToDouble(errors -> errors.of(value).mean().halfWidth())
        .findFirst();
  }

  private String how() {
    OptionalInt until = over.until();
    if (until.isPresent()) {
      return String.format(Locale.ROOT, ", running over %,d windows, then anew", until.getAsInt());
    }
    return over.running().isPresent() ? ", running without an end" : "";
  }

  private String rows() {
    Lags lags = mechanism.lags();
    if (lags.band() == 1) {
      return means.isLaplace()
          ? "the window's own parts"
          : "the window's own parts, since sums of these err least";
    }
    return over.running().isPresent() && over.until().isEmpty()
        ? "its own and those of all before it, weighed by a root that fades"
        : "its own and those of the %,d before it, weighed by the root of running sums"
            .formatted(lags.band() - 1);
  }

  @Override
  public OptionalDouble countError() {
    return means.errors().countError();
  }

  @Override
  public void json(ObjectNode node) {
    node.put("name", spec.name()).put("topic", spec.topic()).put("method", mechanism.method());
    ReportText.share(node, means);
    node.put("mechanism", means.charge().mechanism())
        .put("windows", means.plan().releases())
        .put("moments", spec.moments())
        .put("deviation", mechanism.deviation())
        .put("factorisation", mechanism.lags().word())
        .put("plan_size", spec.planSize());
    if (over.running().isPresent()) {
      over.until()
          .ifPresentOrElse(end -> node.put("running", end), () -> node.put("running", "forever"));
    }
    over.last().ifPresent(last -> node.put("over", last));
    ArrayNode values = node.putArray("values");
    for (MeasuredValue value : spec.values()) {
      ObjectNode each =
          values
              .addObject()
              .put("value", value.name())
              .put("lowest", value.planned().lo())
              .put("highest", value.planned().hi());
      ArrayNode running = each.putArray("errors");
      running().forEach(stretch -> json(running.addObject(), stretch, value));
      over.last()
          .ifPresent(
              last -> json(each.putObject("last_errors"), new Stretch(SETTLED, last), value));
    }
    if (byMethod.size() > 1) {
      ObjectNode errors = node.putObject("rms_error_by_method");
      byMethod.forEach(plan -> errors.put(method(plan), error(plan)));
    }
    List<String> warnings = warnings();
    if (!warnings.isEmpty()) {
      warnings.forEach(node.putArray("warnings")::add);
    }
  }

  private void json(ObjectNode node, Stretch stretch, MeasuredValue value) {
    MeanErrors errors = errors(stretch);
    node.put("windows", stretch.last())
        .put("records", errors.records())
        .put("count_error_95", errors.of(value).count().halfWidth());
    errors.json(node, value);
    independentError(stretch.last(), value)
        .ifPresent(error -> node.put("independent_mean_error_95", error));
    if (byMethod.size() > 1) {
      ObjectNode both = node.putObject("mean_error_95_by_method");
      byMethod.forEach(plan -> both.put(method(plan), halfWidth(plan, stretch, value)));
    }
  }
}
