// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.estimate.quantile.CategoryEstimates;
import io.sfumato.estimate.quantile.QuantileError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a plan says of quantiles. */
final class QuantileReport implements ReleaseReport {
  /** Part of all records that an interval leaves open, above which a quantile says little. */
  private static final double VAGUE = 0.2;

  private final PlannedRelease planned;
  private final QuantileSpec spec;
  private final GridMeasurement<QuantileQuery> rows;
  private final long releases;

  /** The 97.5% quantile of the standard normal law. */
  private static final double Z = 1.959963984540054;

  private final Period period;
  private final boolean ofUsers;

  /** Of one group. */
  private final QuantileError error;

  /** Of all categories together, where they are told apart. */
  private final Optional<QuantileError> ofAll;

  private QuantileReport(
      Pipeline pipeline,
      PlannedRelease planned,
      QuantileSpec spec,
      GridMeasurement<QuantileQuery> rows,
      QuantileError error,
      Optional<QuantileError> ofAll) {
    this.planned = planned;
    this.spec = spec;
    this.rows = rows;
    this.releases = planned.plan().releases();
    this.period = pipeline.budget().period();
    this.ofUsers = pipeline.population().isPresent();
    this.error = error;
    this.ofAll = ofAll;
  }

  static QuantileReport of(Pipeline pipeline, PlannedQuantile planned) {
    GridMeasurement<QuantileQuery> mechanism = planned.plan().mechanism();
    return new QuantileReport(
        pipeline,
        planned,
        planned.spec(),
        mechanism,
        QuantileError.of(mechanism),
        Optional.empty());
  }

  static QuantileReport of(Pipeline pipeline, PlannedCategoryQuantiles planned) {
    GridMeasurement<QuantileQuery> mechanism = planned.plan().mechanism();
    CategoryEstimates estimates = new CategoryEstimates(mechanism);
    return new QuantileReport(
        pipeline,
        planned,
        planned.spec(),
        mechanism,
        estimates.errorOfEach(),
        Optional.of(estimates.errorOfAll()));
  }

  @Override
  public void text(StringBuilder text) {
    ReportText.head(text, "quantile", planned);
    ReportText.line(
        text,
        "  of         %s%s, in %,d bins on a %s scale from %s to %s",
        spec.value(),
        spec.isByCategory()
            ? String.format(Locale.ROOT, " in each of %,d categories", spec.groups())
            : "",
        spec.bins().number(),
        Scales.word(spec.bins().scale()),
        ReportText.number(spec.bins().edge(0)),
        ReportText.number(spec.bins().edge(spec.bins().number())));
    ReportText.line(
        text,
        "  method     discrete Gaussian noise with standard deviation %.4g on rows of a square-root factorisation%s",
        rows.deviation(),
        spec.isByCategory() ? ", of each category for the charge of one" : "");
    ReportText.line(text, "  cost       %s", ReportText.lasts(period, releases, ofUsers));
    error(
        text,
        error,
        spec.isByCategory() ? "of a category ranks err" : "ranks err",
        spec.planSize());
    ofAll.ifPresent(
        all ->
            error(
                text,
                all,
                "of all categories together they err",
                Math.multiplyExact(spec.planSize(), (long) spec.groups())));
    warnings().forEach(line -> ReportText.line(text, "  warning    %s", line));
  }

  private static void error(StringBuilder text, QuantileError error, String what, long size) {
    double open = open(error, size);
    ReportText.line(
        text,
        "  error      %s with a standard deviation of %.3g records (root mean square over ranks), of %.3g at the worst; so that of %,d records the 95%%"
            + " interval of a median reaches from the %.3g%% to the %.3g%% quantile, about",
        what,
        error.rankRms(),
        error.rankWorst(),
        size,
        100 * Math.max(0, 0.5 - open),
        100 * Math.min(1, 0.5 + open));
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
              "of %,d records a quantile is known to %.0f%% of them only: raise the share, plan fewer windows, or"
                  + " widen the window until it has more records%s",
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
              "of %,d records fewer lie beyond quantile %s than noise may hide, so that intervals may reach the end of the"
                  + " range: ask for quantiles between %.2g and %.2g, raise the share, or widen the window",
              spec.planSize(),
              String.join(", ", atEnds),
              open,
              1 - open));
    }
    return warnings;
  }

  @Override
  public OptionalDouble countError() {
    return OptionalDouble.of(Z * error.rankWorst());
  }

  @Override
  public void json(ObjectNode node) {
    node.put("name", spec.name()).put("topic", spec.topic()).put("method", rows.method());
    ReportText.share(node, planned);
    node.put("mechanism", planned.charge().mechanism())
        .put("windows", releases)
        .put("value", spec.value())
        .put("bins", spec.bins().number())
        .put("scale", Scales.word(spec.bins().scale()))
        .put("deviation", rows.deviation())
        .put("plan_size", spec.planSize())
        .put("rank_rms_error", error.rankRms())
        .put("rank_worst_error", error.rankWorst())
        .put("rank_error_95", error.halfWidth());
    ofAll.ifPresent(
        all ->
            node.put("categories", spec.groups())
                .put("rank_rms_error_of_all", all.rankRms())
                .put("rank_worst_error_of_all", all.rankWorst())
                .put("rank_error_95_of_all", all.halfWidth()));
    List<String> warnings = warnings();
    if (!warnings.isEmpty()) {
      warnings.forEach(node.putArray("warnings")::add);
    }
  }
}
