// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.estimate.count.RunningErrors;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a plan says of counts whose windows draw a row each. */
final class RunningCountReport {
  /** Part of an error below which another plan is worth a word. */
  private static final double WORTH = 0.9;

  /** Numbers of windows at which counts without an end are told. */
  private static final long[] LATER = {10, 100, 1_000, 10_000, 1_000_000};

  private final Pipeline pipeline;
  private final PlannedRunningCount counts;
  private final CountSpec spec;
  private final RunningMechanism mechanism;
  private final RowErrorBars bars;

  RunningCountReport(Pipeline pipeline, PlannedRunningCount counts) {
    this.pipeline = pipeline;
    this.counts = counts;
    this.spec = counts.spec();
    this.mechanism = counts.plan().mechanism();
    this.bars = new RowErrorBars(mechanism);
  }

  Facts facts() {
    Facts facts =
        CountReport.leftOut(Facts.of("count", spec), spec)
            .row("method")
            .words("", "method", mechanism.method())
            .say("discrete noise on one row a window: %s", rows())
            .words("by", "by", EnumWords.word(spec.grouping()))
            .share(counts)
            .mechanism(counts)
            .lasts(pipeline, counts)
            .row("noise")
            .number("standard deviation", "deviation", mechanism.deviation(), "records")
            .row("error");
    if (spec.over().running().isPresent()) {
      facts.bar("95% of running totals within", "error_95", width(1, 1), "after the first window");
    } else {
      facts
          .say("95%% of a window's own counts within +-%s", ReportText.rounded(width(late(), 1)))
          .bar("in the first window", "error_95", width(1, 1), "");
    }
    facts.forPrograms().words("", "factorisation", mechanism.coefficients().word()).row("error");
    if (spec.tree().isPresent()) {
      until(facts, counts.windows());
    } else if (spec.over().running().isPresent()) {
      Facts later = Facts.of();
      for (long windows : LATER) {
        String after = String.format(Locale.ROOT, "after %,d", windows);
        later.bar(after, Long.toString(windows), width(windows, windows), "");
      }
      facts.words("running", "running", "forever").group("95% within", "error_95_after", later);
    }
    facts.warnings(warnings());
    spec.over().last().ifPresent(last -> last(facts, last));
    return CountReport.countError(facts, spec, bars.halfWidth(counts.windows(), counts.windows()));
  }

  private void until(Facts facts, int windows) {
    facts
        .number("reset every", "running", windows, "windows")
        .bar("always within", "largest_error_95", width(windows, windows), "")
        .number("root mean square", "rms_error", counts.error())
        .number("worst standard deviation", "worst_error", bars.deviation(windows, windows))
        .row("others");
    RunningErrors errors = alternatives();
    other(facts, "by a binary tree", "tree_rms_error", errors.tree());
    other(facts, "by independent Gaussian counts", "independent_rms_error", errors.independent());
    other(facts, "by independent Laplace counts", "laplace_rms_error", errors.laplace());
  }

  /** What else could be done, with the error of all windows together. */
  private static void other(Facts facts, String how, String key, OptionalDouble error) {
    error.ifPresent(found -> facts.number("root mean square " + how, key, found));
  }

  private void last(Facts facts, int last) {
    facts
        .row("error")
        .number("of the last", "over", last, "windows")
        .bar("95% within", "last_error_95", width(late(), last), "");
    independentLast(last)
        .ifPresent(
            error ->
                facts.bar(
                    "of as many independent windows, added up,",
                    "independent_last_error_95",
                    error,
                    ""));
  }

  private String rows() {
    Coefficients coefficients = mechanism.coefficients();
    if (coefficients.band() == 1) {
      return "the window's own count, because sums of these have the least error";
    }
    return spec.over().running().isPresent() && spec.tree().isEmpty()
        ? "it and all before it, weighted by a decaying square root"
        : "it and the %,d before it, weighted by the square root of running sums"
            .formatted(coefficients.band() - 1);
  }

  /** So late that the last windows do not depend on the beginning, if it ever comes to that. */
  private long late() {
    return Math.min(100_000, spec.over().most());
  }

  private double width(long windows, long last) {
    return Math.ceil(bars.halfWidth(windows, last));
  }

  private RunningErrors alternatives() {
    return new RunningErrors(spec.request(), spec.recordsOfUser(), counts.windows(), spec.period());
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
                    "'method: best' would have a root mean square error of %s%s, this has %s"
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
        "the sum of the last %,d independent counts is within +-%s: if the last windows matter more, use a separate release for them, or leave out 'running'%s"
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
}
