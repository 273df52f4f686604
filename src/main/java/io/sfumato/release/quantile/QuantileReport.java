// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.mechanism.quantile.QuantileError;
import io.sfumato.mechanism.quantile.QuantileMechanism;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a plan says of quantiles. */
final class QuantileReport implements ReleaseReport {
  /** Part of all records that an interval leaves open, above which a quantile says little. */
  private static final double VAGUE = 0.2;

  private final PlannedQuantile quantiles;
  private final Period period;
  private final boolean ofUsers;
  private final QuantileError error;

  QuantileReport(Pipeline pipeline, PlannedQuantile quantiles) {
    this.quantiles = quantiles;
    this.period = pipeline.budget().period();
    this.ofUsers = pipeline.population().isPresent();
    this.error = QuantileError.of(quantiles.plan().mechanism());
  }

  @Override
  public void text(StringBuilder text) {
    QuantileSpec spec = quantiles.spec();
    QuantileMechanism mechanism = quantiles.plan().mechanism();
    ReportText.head(text, "quantile", quantiles);
    ReportText.line(
        text,
        "  of         %s, in %,d bins on a %s scale from %s to %s",
        spec.value(),
        spec.bins().number(),
        Scales.word(spec.bins().scale()),
        ReportText.number(spec.bins().edge(0)),
        ReportText.number(spec.bins().edge(spec.bins().number())));
    ReportText.line(
        text,
        "  method     discrete Gaussian noise with standard deviation %.4g on rows of a square-root factorisation",
        mechanism.rows().deviation());
    ReportText.line(
        text, "  cost       %s", ReportText.lasts(period, quantiles.plan().releases(), ofUsers));
    ReportText.line(
        text,
        "  error      ranks err by %.3g records (root mean square), by %.3g at most; so that of %,d records the 95%%"
            + " interval of a median reaches from the %.3g%% to the %.3g%% quantile, about",
        error.rankRms(),
        error.rankWorst(),
        spec.planSize(),
        100 * Math.max(0, 0.5 - open()),
        100 * Math.min(1, 0.5 + open()));
    warnings().forEach(line -> ReportText.line(text, "  warning    %s", line));
  }

  /** Part of the planned records that the interval of a quantile leaves open to one side. */
  private double open() {
    return Math.min(1, error.halfWidth() / quantiles.spec().planSize());
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    double open = open();
    if (open > VAGUE) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "of %,d records a quantile is known to %.0f%% of them only: raise the share, plan fewer windows, or"
                  + " widen the window until it has more records",
              quantiles.spec().planSize(),
              100 * open));
    }
    List<String> atEnds =
        quantiles.spec().quantiles().stream()
            .filter(q -> Math.min(q, 1 - q) < open)
            .map(String::valueOf)
            .toList();
    if (open <= VAGUE && !atEnds.isEmpty()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "of %,d records fewer lie beyond quantile %s than noise may hide, so that intervals may reach the end of the"
                  + " range: ask for quantiles between %.2g and %.2g, raise the share, or widen the window",
              quantiles.spec().planSize(),
              String.join(", ", atEnds),
              open,
              1 - open));
    }
    return warnings;
  }

  @Override
  public void json(ObjectNode node) {
    QuantileSpec spec = quantiles.spec();
    QuantileMechanism mechanism = quantiles.plan().mechanism();
    node.put("name", spec.name()).put("topic", spec.topic()).put("method", mechanism.method());
    ReportText.share(node, quantiles);
    node.put("mechanism", quantiles.charge().mechanism())
        .put("windows", quantiles.plan().releases())
        .put("value", spec.value())
        .put("bins", spec.bins().number())
        .put("scale", Scales.word(spec.bins().scale()))
        .put("deviation", mechanism.rows().deviation())
        .put("plan_size", spec.planSize())
        .put("rank_rms_error", error.rankRms())
        .put("rank_worst_error", error.rankWorst())
        .put("rank_error_95", error.halfWidth());
    List<String> warnings = warnings();
    if (!warnings.isEmpty()) {
      warnings.forEach(node.putArray("warnings")::add);
    }
  }
}
