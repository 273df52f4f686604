// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What a plan says of means: the error by noise alone, in each number's own unit. */
final class MeanReport implements ReleaseReport {
  /** Part of a range that a mean's interval takes to one side, above which it says little. */
  static final double VAGUE = 0.1;

  private final PlannedMean means;
  private final MeanErrors errors;
  private final Period period;
  private final Optional<Population> population;

  MeanReport(Pipeline pipeline, PlannedMean means) {
    this.means = means;
    this.errors = means.errors();
    this.period = pipeline.budget().period();
    this.population = pipeline.population();
  }

  @Override
  public void text(StringBuilder text) {
    MeanSpec spec = means.spec();
    GridNoise noise = means.plan().mechanism().noise();
    ReportText.head(text, "mean", means);
    of(text, spec);
    ReportText.line(
        text,
        "  method     discrete %s noise with standard deviation %.4g records on sums of %d parts of a record%s",
        noise.method().equals("gaussian") ? "Gaussian" : "Laplace",
        noise.deviation() / BernsteinParts.STEPS,
        spec.moments() + 1,
        alternatives());
    ReportText.line(
        text,
        "  cost       %s",
        ReportText.lasts(period, means.plan().releases(), population.isPresent()));
    for (MeasuredValue value : spec.values()) {
      if (value.isOpen()) {
        open(text, value);
      } else {
        ReportText.line(
            text, "  error      of %,d records, 95%%: %s", spec.planSize(), errors.text(value));
      }
    }
    warnings(errors).forEach(line -> ReportText.line(text, "  warning    %s", line));
  }

  /** What is summarised. */
  static void of(StringBuilder text, MeanSpec spec) {
    ReportText.line(
        text,
        "  of         %s%s",
        spec.values().stream()
            .map(
                value ->
                    value.name()
                        + value
                            .bounds()
                            .map(
                                known ->
                                    " from %s to %s"
                                        .formatted(
                                            ReportText.number(known.lo()),
                                            ReportText.number(known.hi())))
                            .orElse(" within bounds that 'bounds' finds"))
            .collect(Collectors.joining(", ")),
        spec.isByCategory() ? ", by category" : "");
  }

  /** Of a range that nobody knows: in its own width. */
  private void open(StringBuilder text, MeasuredValue value) {
    MomentError error = errors.of(value);
    ReportText.line(
        text,
        "  error      of %,d records, 95%%: mean %s +-%s of the width of the range that is found, +-%s at its ends%s%s",
        means.spec().planSize(),
        value.name(),
        ReportText.percent(error.mean().halfWidth()),
        ReportText.percent(errors.atEnd(value)),
        errors.count(value),
        error
            .variance()
            .map(
                bar ->
                    ", variance +-%s of its square".formatted(ReportText.percent(bar.halfWidth())))
            .orElse(""));
  }

  private String alternatives() {
    if (narrowest().size() < 2) {
      return "";
    }
    MeasuredValue first = means.spec().values().get(0);
    return narrowest().values().stream()
        .map(plan -> plan.mechanism().method() + " +-" + ReportText.rounded(halfWidth(plan, first)))
        .collect(Collectors.joining(", ", " (best of: ", ")"));
  }

  /** Of each method the plan with the narrowest intervals, the best first. */
  private Map<String, Planned<GridMeasurement<MomentQuery>>> narrowest() {
    Map<String, Planned<GridMeasurement<MomentQuery>>> byMethod = new LinkedHashMap<>();
    means.candidates().forEach(plan -> byMethod.putIfAbsent(plan.mechanism().method(), plan));
    return byMethod;
  }

  private double halfWidth(Planned<GridMeasurement<MomentQuery>> plan, MeasuredValue value) {
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
                "the mean of %s is known within %.0f%% of its range only: %s",
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
    return "raise the share, plan fewer windows, or widen the window until it has more records"
        + (spec.isByCategory() ? ", or take 'by: total'" : "");
  }

  @Override
  public OptionalDouble countError() {
    return errors.countError();
  }

  @Override
  public void json(ObjectNode node) {
    MeanSpec spec = means.spec();
    GridNoise noise = means.plan().mechanism().noise();
    node.put("name", spec.name()).put("topic", spec.topic()).put("method", noise.method());
    ReportText.share(node, means);
    node.put("mechanism", means.charge().mechanism())
        .put("windows", means.plan().releases())
        .put("moments", spec.moments())
        .put("deviation", noise.deviation() / BernsteinParts.STEPS)
        .put("plan_size", spec.planSize());
    ArrayNode values = node.putArray("values");
    for (MeasuredValue value : spec.values()) {
      MomentError error = errors.of(value);
      ObjectNode each =
          values
              .addObject()
              .put("value", value.name())
              .put("count_error_95", error.count().halfWidth());
      if (value.isOpen()) {
        each.put("bounds", "auto").put("mean_error_95_of_range", error.mean().halfWidth());
        continue;
      }
      each.put("lowest", value.planned().lo()).put("highest", value.planned().hi());
      errors.json(each, value);
    }
    if (means.candidates().size() > 1) {
      ObjectNode errors = node.putObject("mean_error_95_by_method");
      means
          .candidates()
          .forEach(
              plan -> errors.put(plan.mechanism().method(), halfWidth(plan, spec.values().get(0))));
    }
    List<String> warnings = warnings(errors);
    if (!warnings.isEmpty()) {
      warnings.forEach(node.putArray("warnings")::add);
    }
  }
}
