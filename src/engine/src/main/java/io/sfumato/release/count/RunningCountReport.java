// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.estimate.count.RunningErrors;
import io.sfumato.estimate.running.ErrorBars;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import io.sfumato.pipeline.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a plan says of counts whose windows draw a row each. */
final class RunningCountReport implements ReleaseReport {
  /** Part of an error below which another plan is worth a word. */
  private static final double WORTH = 0.9;

  /** Numbers of windows at which counts without an end are told. */
  private static final long[] LATER = {10, 100, 1_000, 10_000, 1_000_000};

  private final PlannedRunningCount counts;
  private final CountSpec spec;
  private final RunningMechanism mechanism;
  private final ErrorBars bars;
  private final Period period;
  private final Optional<Population> population;

  RunningCountReport(Pipeline pipeline, PlannedRunningCount counts) {
    this.counts = counts;
    this.spec = counts.spec();
    this.mechanism = counts.plan().mechanism();
    this.bars = new ErrorBars(mechanism);
    this.period = pipeline.budget().period();
    this.population = pipeline.population();
  }

  @Override
  public void text(StringBuilder text) {
    ReportText.head(text, "count", counts);
    if (spec.grouping() == CountSpec.Grouping.LEFT_OUT) {
      ReportText.line(
          text,
          "  counts     records that 'contributions' left out, at most %,d of a user and window",
          spec.recordsOfUser());
    }
    ReportText.line(
        text,
        "  method     discrete %s noise with standard deviation %s on one row a window: %s",
        mechanism.method().equals("gaussian") ? "Gaussian" : "Laplace",
        ReportText.rounded(mechanism.deviation()),
        rows());
    ReportText.line(
        text, "  cost       %s", ReportText.lasts(period, counts.plan().releases(), true));
    if (spec.tree().isPresent()) {
      int windows = counts.windows();
      ReportText.line(
          text,
          "  error      running over %,d windows, then anew: 95%% within +-%s at first, within +-%s always; root mean square %s%s",
          windows,
          width(1, 1),
          width(windows, windows),
          ReportText.rounded(counts.error()),
          others());
    } else if (spec.over().running().isPresent()) {
      StringBuilder later = new StringBuilder();
      for (long windows : LATER) {
        later.append(
            String.format(Locale.ROOT, ", +-%s after %,d", width(windows, windows), windows));
      }
      ReportText.line(
          text,
          "  error      running without an end: 95%% within +-%s after the first window%s",
          width(1, 1),
          later);
    } else {
      ReportText.line(
          text, "  error      95%% of a window's own counts within +-%s", width(late(), 1));
    }
    spec.over()
        .last()
        .ifPresent(
            last ->
                ReportText.line(
                    text,
                    "  %-10s 95%% of counts of the last %,d windows within +-%s%s",
                    "last " + last,
                    last,
                    width(late(), last),
                    independent(last)));
    warnings().forEach(line -> ReportText.line(text, "  warning    %s", line));
  }

  private String independent(int last) {
    OptionalDouble found = independentLast(last);
    return found.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            " (%,d independent windows, added up: +-%s)",
            last,
            ReportText.rounded(found.getAsDouble()));
  }

  private String rows() {
    Lags lags = mechanism.lags();
    if (lags.band() == 1) {
      return "the window's own count, since sums of these err least";
    }
    return spec.over().running().isPresent() && spec.tree().isEmpty()
        ? "it and all before it, weighed by a root that fades"
        : "it and the %,d before it, weighed by the root of running sums"
            .formatted(lags.band() - 1);
  }

  /** So late that the last windows do not depend on the beginning, if it ever comes to that. */
  private long late() {
    return Math.min(100_000, spec.over().most());
  }

  private String width(long windows, long last) {
    return ReportText.rounded(Math.ceil(bars.halfWidth(windows, last)));
  }

  private RunningErrors alternatives() {
    return new RunningErrors(spec.request(), spec.recordsOfUser(), counts.windows());
  }

  /** What else could be done, each with the error of all windows together. */
  private String others() {
    StringBuilder text = new StringBuilder();
    RunningErrors errors = alternatives();
    other(text, "by a binary tree", errors.tree());
    other(text, "by independent Gaussian counts", errors.independent());
    other(text, "by independent Laplace counts", errors.laplace());
    return text.toString();
  }

  private static void other(StringBuilder text, String how, OptionalDouble error) {
    error.ifPresent(
        found -> text.append("; ").append(how).append(' ').append(ReportText.rounded(found)));
  }

  /** Where the file could ask for less noise. */
  private List<String> warnings() {
    List<String> lines = new ArrayList<>();
    new RowMethods(spec.withBestMethod())
        .error()
        .ifPresent(
            best -> {
              if (best < WORTH * counts.error()) {
                lines.add(
                    "'method: best' would err by %s (root mean square%s), this by %s"
                        .formatted(
                            ReportText.rounded(best),
                            spec.over().running().isPresent()
                                ? " over %,d windows".formatted(counts.windows())
                                : "",
                            ReportText.rounded(counts.error())));
              }
            });
    // Without running counts the method alone decides, and that was told.
    if (spec.over().running().isPresent()) {
      spec.over().last().ifPresent(last -> alone(last).ifPresent(lines::add));
    }
    return lines;
  }

  /** Where rows are made for running counts, the last windows by themselves may err less. */
  private Optional<String> alone(int last) {
    OptionalDouble found = independentLast(last);
    if (found.isEmpty() || found.getAsDouble() >= WORTH * bars.halfWidth(late(), last)) {
      return Optional.empty();
    }
    double alone = found.getAsDouble();
    OptionalDouble asked = independentLast(spec, last);
    boolean onlyBest = asked.isEmpty() || alone < WORTH * asked.getAsDouble();
    String how = onlyBest ? ", there with 'method: best'" : "";
    return Optional.of(
        "the last %,d windows of counts that are drawn each by itself, added up, are within +-%s: where these matter more, ask for them in a release of their own, or leave 'running' out%s"
            .formatted(last, ReportText.rounded(alone), how));
  }

  /**
   * Half the width of bars of the last windows' own counts, with the least noise, added up; nothing
   * where the share affords none.
   */
  private OptionalDouble independentLast(int last) {
    return independentLast(spec.withBestMethod(), last);
  }

  private static OptionalDouble independentLast(CountSpec spec, int last) {
    return CountMethods.ofOneWindow(spec).stream()
        .mapToDouble(plan -> 1.96 * plan.mechanism().noise().deviation() * Math.sqrt(last))
        .min();
  }

  @Override
  public OptionalDouble countError() {
    return OptionalDouble.of(bars.halfWidth(counts.windows(), counts.windows()));
  }

  @Override
  public void json(ObjectNode node) {
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("method", mechanism.method())
        .put("by", Words.word(spec.grouping()));
    ReportText.share(node, counts);
    node.put("mechanism", counts.charge().mechanism())
        .put("windows", counts.plan().releases())
        .put("deviation", mechanism.deviation())
        .put("error_95", Math.ceil(bars.halfWidth(1, 1)))
        .put("factorisation", mechanism.lags().word());
    if (spec.tree().isPresent()) {
      int windows = counts.windows();
      node.put("running", windows)
          .put("largest_error_95", Math.ceil(bars.halfWidth(windows, windows)))
          .put("rms_error", counts.error())
          .put("worst_error", bars.deviation(windows, windows));
      alternatives().tree().ifPresent(error -> node.put("tree_rms_error", error));
      alternatives().independent().ifPresent(error -> node.put("independent_rms_error", error));
      alternatives().laplace().ifPresent(error -> node.put("laplace_rms_error", error));
    } else if (spec.over().running().isPresent()) {
      node.put("running", "forever");
      ObjectNode later = node.putObject("error_95_after");
      for (long windows : LATER) {
        later.put(Long.toString(windows), Math.ceil(bars.halfWidth(windows, windows)));
      }
    }
    List<String> warnings = warnings();
    if (!warnings.isEmpty()) {
      warnings.forEach(node.putArray("warnings")::add);
    }
    spec.over()
        .last()
        .ifPresent(
            last -> {
              node.put("over", last).put("last_error_95", Math.ceil(bars.halfWidth(late(), last)));
              independentLast(last)
                  .ifPresent(error -> node.put("independent_last_error_95", error));
            });
  }
}
