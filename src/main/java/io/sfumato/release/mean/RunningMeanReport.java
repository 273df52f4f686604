// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.mechanism.running.Extent;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What a plan says of means over windows: the error by noise alone, in each number's own unit. */
final class RunningMeanReport implements ReleaseReport {
  /** Numbers of windows at which means without an end are told. */
  private static final long[] LATER = {1, 10, 100, 1_000, 10_000};

  /** After so many windows sums of the last ones no longer depend on the beginning. */
  private static final int SETTLED = 100_000;

  private final PlannedRunningMean means;
  private final MeanSpec spec;
  private final OverWindows over;
  private final RunningMechanism mechanism;
  private final Period period;

  RunningMeanReport(Pipeline pipeline, PlannedRunningMean means) {
    this.means = means;
    this.spec = means.spec();
    this.over = spec.over();
    this.mechanism = means.plan().mechanism();
    this.period = pipeline.budget().period();
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

  private MeanErrors errors(Stretch stretch) {
    return means.errors(stretch.windows(), stretch.last());
  }

  @Override
  public void text(StringBuilder text) {
    ReportText.head(text, "mean", means);
    MeanReport.of(text, spec);
    ReportText.line(
        text,
        "  method     discrete Gaussian noise with standard deviation %s records on one row a window of %d parts of a record: %s",
        ReportText.rounded(mechanism.deviation()),
        spec.moments() + 1,
        rows());
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

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>(MeanReport.warnings(means.errors()));
    List<Stretch> stretches = running();
    Stretch longest =
        over.running().isPresent()
            ? stretches.get(stretches.size() - 1)
            : new Stretch(SETTLED, over.last().orElse(1));
    MeasuredValue first = spec.values().get(0);
    double rows = errors(longest).of(first).mean().halfWidth();
    independentError(longest.last(), first).stream()
        .filter(error -> error < rows)
        .mapToObj(
            error ->
                String.format(
                    Locale.ROOT,
                    "sums of %,d windows that are drawn each by itself err less, the mean of %s by +-%s instead of +-%s:"
                        + " leave 'running' and 'over' out, and add up their 'parts'",
                    longest.last(),
                    first.name(),
                    ReportText.rounded(error),
                    ReportText.rounded(rows)))
        .forEach(warnings::add);
    return warnings;
  }

  private void line(StringBuilder text, String which, Stretch stretch) {
    MeanErrors errors = errors(stretch);
    String label = String.format(Locale.ROOT, which, stretch.last());
    for (MeasuredValue value : spec.values()) {
      ReportText.line(
          text, "  %-10s %s%s", label, errors.text(value), independent(stretch.last(), value));
    }
  }

  /** For comparison: windows as they would be without the others. */
  private String independent(long windows, MeasuredValue value) {
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
      return "the window's own parts, since sums of these err least";
    }
    return over.running().isPresent() && over.until().isEmpty()
        ? "its own and those of all before it, weighed by a root that fades"
        : "its own and those of the %,d before it, weighed by the root of running sums"
            .formatted(lags.band() - 1);
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
    over.running()
        .ifPresent(
            extent -> {
              if (extent instanceof Extent.Until until) {
                node.put("running", until.windows());
              } else {
                node.put("running", "forever");
              }
            });
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
  }
}
