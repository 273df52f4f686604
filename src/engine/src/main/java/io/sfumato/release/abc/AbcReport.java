// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.mechanism.abc.QueryMechanism;
import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a plan says of queries: cost, noise, and how well acceptances tell distances apart. */
final class AbcReport {
  /** Distances, in thresholds, at which the chance of acceptance is shown. */
  private static final double[] SHOWN = {0, 0.5, 1, 1.5, 2};

  /** Noise, in thresholds, above which answers say little. */
  private static final double LOUD = 1;

  private final PlannedAbc queries;
  private final QueryNoise answering;
  private final LossReport one;
  private final LossReport all;

  /** In words; none where another distance is measured. */
  private final List<String> summaries;

  /** What so many queries are for: a period, or any span of a length. */
  private final String each;

  /**
   * @param input whose fields and categories summaries are of
   */
  public AbcReport(PlannedAbc queries, InputSpec input, BudgetSpec budget) {
    this.queries = queries;
    this.each = budget.anySpan().map(span -> "any " + span.spoken()).orElse("period");
    SummaryWords words = new SummaryWords(input);
    this.summaries = queries.spec().summaries().stream().map(words::of).toList();
    AbcSpec spec = queries.spec();
    QueryMechanism mechanism = queries.plan().mechanism();
    this.answering =
        mechanism.noise(spec.measure().sensitivity(spec.planSize()), spec.candidates());
    double delta = spec.share().delta().roundedDown();
    this.one = LossReport.of(List.of(new Counted(mechanism.charge(), 1)), delta);
    this.all = LossReport.of(List.of(new Counted(mechanism.charge(), spec.queries())), delta);
  }

  Facts facts() {
    AbcSpec spec = queries.spec();
    QueryMechanism mechanism = queries.plan().mechanism();
    Facts facts =
        Facts.of("queries", spec)
            .row("method")
            .words("", "method", mechanism.method())
            .words("by the distance of", "distance", spec.measure().word())
            .words("calibration", "accountant", spec.accountant().word());
    if (!summaries.isEmpty()) {
      facts
          .row("summaries")
          .number("clipped at", "clip", spec.clip())
          .say("which is the sensitivity, however many records")
          .many("", "summaries", summaries);
    }
    facts
        .share(queries)
        .row("parameters")
        .parameters(mechanism.parameters())
        .mechanism(queries)
        .row("cost")
        .say("a whole query is charged at its first candidate")
        .number("queries for each subject and %s".formatted(each), "queries", spec.queries())
        .number("each of up to", "candidates", spec.candidates(), "candidates")
        .row("noise")
        .number("scale", "noise_scale", answering.scale())
        .say(
            "%s (threshold %.4g) for %,d records",
            answering instanceof SparseVector
                ? "on the threshold, twice that on each distance"
                : "on distances",
            spec.threshold(),
            spec.planSize());
    if (answering instanceof RejectionCoin coin) {
      accepted(facts.row("accepted"), coin);
    }
    return facts
        .row("loss")
        .say("one query, at delta %s:", ReportText.plain(spec.share().delta().value()))
        .losses("loss_of_one_query", one)
        .lossesOfAll("loss_of_all_queries", spec.queries(), all)
        .row("datasets")
        .say("answer for %s after their window closes", Plurals.of(spec.keep(), "window"))
        .allWarnings(warnings());
  }

  private void accepted(Facts facts, RejectionCoin coin) {
    for (double thresholds : SHOWN) {
      facts.say(
          "%.1f%% at %.1f thresholds",
          100 * coin.acceptance(thresholds * queries.spec().threshold()), thresholds);
    }
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    AbcSpec spec = queries.spec();
    if (answering.scale() > LOUD * spec.threshold() && !summaries.isEmpty()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the noise is %.3g thresholds, whatever the number of records, so answers will "
                  + "reveal little. Ask about fewer candidates, raise the share or lower the "
                  + "clip; or measure features or categories, whose noise falls with the number "
                  + "of records",
              answering.scale() / spec.threshold()));
    } else if (answering.scale() > LOUD * spec.threshold()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the noise is %.3g thresholds for %,d records, so answers will reveal little. "
                  + "Raise the share, plan fewer queries or candidates, or query windows with "
                  + "more records",
              answering.scale() / spec.threshold(),
              spec.planSize()));
    }
    return warnings;
  }
}
