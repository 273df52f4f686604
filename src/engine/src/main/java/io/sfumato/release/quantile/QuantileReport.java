// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.quantile.CategoryEstimates;
import io.sfumato.estimate.quantile.QuantileError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a plan says of quantiles. */
final class QuantileReport {
  /** Part of all records that an interval leaves open, above which a quantile says little. */
  private static final double VAGUE = 0.2;

  private final Pipeline pipeline;
  private final PlannedQuantile planned;
  private final QuantileSpec spec;
  private final GridMeasurement<QuantileQuery> rows;

  /** The 97.5% quantile of the standard normal law. */
  private static final double Z = 1.959963984540054;

  /** Of one group. */
  private final QuantileError error;

  /** Of all categories together, where they are told apart. */
  private final Optional<QuantileError> ofAll;

  QuantileReport(Pipeline pipeline, PlannedQuantile planned) {
    this.pipeline = pipeline;
    this.planned = planned;
    this.spec = planned.spec();
    this.rows = planned.plan().mechanism();
    CategoryEstimates estimates = new CategoryEstimates(rows);
    boolean each = spec.isByCategory();
    this.error = each ? estimates.errorOfEach() : estimates.errorOfAll();
    this.ofAll = each ? Optional.of(estimates.errorOfAll()) : Optional.empty();
  }

  Facts facts() {
    boolean each = spec.isByCategory();
    Facts facts =
        Facts.of("quantile", spec)
            .row("method")
            .words("", "method", rows.method())
            .say(
                "discrete noise on rows of a square-root factorisation%s",
                each ? ", of each category for the charge of one" : "")
            .share(planned)
            .mechanism(planned)
            .lasts(pipeline, planned)
            .row("of")
            .words("", "value", spec.value())
            .number("in", "bins", spec.bins().number(), "bins")
            .words("scale", "scale", Scales.word(spec.bins().scale()))
            .say(
                "from %s to %s",
                ReportText.number(spec.bins().edge(0)),
                ReportText.number(spec.bins().edge(spec.bins().number())))
            .row("noise")
            .number("standard deviation", "deviation", rows.deviation(), "records")
            .row("error")
            .number("of", "plan_size", spec.planSize(), each ? "records of a category" : "records")
            .number("ranks err by", "rank_rms_error", error.rankRms(), "records (root mean square)")
            .number("", "rank_worst_error", error.rankWorst(), "at worst (standard deviations)")
            .bar("95% within", "rank_error_95", error.halfWidth(), "");
    median(facts, error, spec.planSize());
    ofAll.ifPresent(
        all -> {
          facts
              .row("error")
              .number("of all", "categories", spec.groups(), "categories together")
              .number("", "rank_rms_error_of_all", all.rankRms(), "records")
              .number("", "rank_worst_error_of_all", all.rankWorst(), "at worst")
              .bar("95% within", "rank_error_95_of_all", all.halfWidth(), "");
          median(facts, all, Math.multiplyExact(spec.planSize(), (long) spec.groups()));
        });
    return facts.warnings(warnings()).countError("numbers of records", Z * error.rankWorst());
  }

  private static void median(Facts facts, QuantileError error, long size) {
    double open = open(error, size);
    facts.say(
        "the interval of a median reaches from about the %.3g%% to the %.3g%% quantile",
        100 * Math.max(0, 0.5 - open), 100 * Math.min(1, 0.5 + open));
  }

  /** Part of the planned records that the interval of a quantile leaves open to one side. */
  private static double open(QuantileError error, long size) {
    return Math.min(1, error.halfWidth() / size);
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    double open = open(error, spec.planSize());
    if (open > VAGUE) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "of %,d records a quantile is known to %.0f%% of them only: raise the share, plan "
                  + "fewer windows, or use a longer window, which has more records%s",
              spec.planSize(),
              100 * open,
              spec.isByCategory() ? ", or take 'by: total'" : ""));
    }
    List<String> atEnds =
        spec.quantiles().stream()
            .filter(q -> Math.min(q, 1 - q) < open)
            .map(String::valueOf)
            .toList();
    if (open <= VAGUE && !atEnds.isEmpty()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "with %,d records, fewer are beyond quantile %s than the noise hides, so "
                  + "intervals may reach the end of the range: ask for quantiles between %.2g and "
                  + "%.2g, raise the share, or use a longer window",
              spec.planSize(),
              String.join(", ", atEnds),
              open,
              1 - open));
    }
    return warnings;
  }
}
