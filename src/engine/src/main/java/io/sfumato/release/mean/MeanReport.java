// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a plan says of means: the error by noise alone, in each number's own unit. */
final class MeanReport {
  /** Part of a range that a mean's interval takes to one side, above which it says little. */
  static final double VAGUE = 0.1;

  private final Pipeline pipeline;
  private final PlannedMean means;
  private final MeanErrors errors;

  MeanReport(Pipeline pipeline, PlannedMean means) {
    this.pipeline = pipeline;
    this.means = means;
    this.errors = means.errors();
  }

  Facts facts() {
    MeanSpec spec = means.spec();
    GridNoise noise = means.plan().mechanism().noise();
    Facts facts =
        of(Facts.of("mean", spec), spec)
            .row("method")
            .words("", "method", noise.method())
            .say("discrete noise on sums of %d parts of a record", spec.moments() + 1)
            .share(means)
            .mechanism(means)
            .lasts(pipeline, means)
            .forPrograms()
            .number("", "moments", spec.moments())
            .row("noise")
            .number(
                "standard deviation",
                "deviation",
                noise.deviation() / BernsteinParts.STEPS,
                "records")
            .row("error")
            .number("95% intervals of", "plan_size", spec.planSize(), "records")
            .table("values", spec.values().stream().map(this::one).toList());
    byMethod(facts);
    return errors.countError(facts.warnings(warnings(errors)));
  }

  /** What is summarised. */
  static Facts of(Facts facts, MeanSpec spec) {
    return facts
        .row("of")
        .say(
            "%s", spec.values().stream().map(MeasuredValue::name).collect(Collectors.joining(", ")))
        .say("%s", spec.isByCategory() ? "by category" : "");
  }

  private Facts one(MeasuredValue value) {
    MomentError error = errors.of(value);
    Facts facts =
        Facts.of()
            .words("", "value", value.name())
            .bar("number of records", "count_error_95", error.count().halfWidth(), "");
    if (!value.isOpen()) {
      return errors.addTo(range(facts, value), value);
    }
    return open(facts.words("bounds", "bounds", "auto"), value, error);
  }

  /** Between which bounds a number counts. */
  static Facts range(Facts facts, MeasuredValue value) {
    return facts
        .number("range from", "lowest", value.planned().lo())
        .number("to", "highest", value.planned().hi());
  }

  /** Of a range that is not known: in parts of its width. */
  private Facts open(Facts facts, MeasuredValue value, MomentError error) {
    facts
        .number(
            "mean within",
            "mean_error_95_of_range",
            error.mean().halfWidth(),
            Form.PERCENT,
            "of the width of the range that is found")
        .say("%s at its ends", ReportText.percent(errors.atEnd(value)));
    error
        .variance()
        .ifPresent(
            bar ->
                facts.say("variance within %s of its square", ReportText.percent(bar.halfWidth())));
    return facts;
  }

  /** The error of the first number: people are told the best plan of each method. */
  private void byMethod(Facts facts) {
    if (means.candidates().size() < 2) {
      return;
    }
    Map<String, Double> best = new LinkedHashMap<>();
    Map<String, Double> last = new LinkedHashMap<>();
    for (Calibrated<GridMeasurement<MomentQuery>> plan : means.candidates()) {
      double error = halfWidth(plan, means.spec().values().get(0));
      best.putIfAbsent(plan.mechanism().method(), error);
      last.put(plan.mechanism().method(), error);
    }
    facts.forPrograms().numbers("", "mean_error_95_by_method", last, Form.BAR);
    if (best.size() > 1) {
      facts.row("best of").numbers("", "", best, Form.BAR);
    }
  }

  private double halfWidth(Calibrated<GridMeasurement<MomentQuery>> plan, MeasuredValue value) {
    return MomentError.of(
            plan.mechanism(), means.spec().groups(), means.spec().planSize(), value.planned())
        .mean()
        .halfWidth();
  }

  /** What is told of too few records. */
  static List<String> warnings(MeanErrors errors) {
    List<String> warnings = new ArrayList<>();
    for (MeasuredValue value : errors.spec().values()) {
      double part = part(errors, value);
      if (part > VAGUE) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "the mean of %s is uncertain by %.0f%% of its range: %s",
                value.name(),
                100 * part,
                remedy(errors.spec())));
      }
    }
    return warnings;
  }

  /** Part of its range within which a mean is known, to one side: 1 at most. */
  static double part(MeanErrors errors, MeasuredValue value) {
    return Math.min(1, errors.of(value).mean().halfWidth() / value.planned().span());
  }

  /** What makes means less vague. */
  static String remedy(MeanSpec spec) {
    return "raise the share, plan fewer windows, or use a longer window, which has more records"
        + (spec.isByCategory() ? ", or take 'by: total'" : "");
  }
}
