// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.mechanism.abc.QueryMechanism;
import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a plan says of queries: cost, noise, and how well acceptances tell distances apart. */
final class AbcReport implements ReleaseReport {
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

  @Override
  public void text(StringBuilder text) {
    AbcSpec spec = queries.spec();
    QueryMechanism mechanism = queries.plan().mechanism();
    ReportText.head(text, "queries", queries);
    ReportText.line(
        text,
        "  method     %s by the distance of %s, %s",
        mechanism.method(),
        spec.measure().word(),
        mechanism.parameters().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s = %.6g", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", ")));
    if (!summaries.isEmpty()) {
      ReportText.line(
          text,
          "  summaries  %s; clipped at %s, which is the sensitivity, however many records",
          String.join(", ", summaries),
          SummaryWords.number(spec.clip()));
    }
    ReportText.line(
        text,
        "  cost       a query is charged whole at its first candidate; %,d %s of up to %,d candidates for"
            + " each subject and %s",
        spec.queries(),
        spec.queries() == 1 ? "query" : "queries",
        spec.candidates(),
        each);
    ReportText.line(
        text,
        "  loss       epsilon of one query at delta %s: %s",
        ReportText.plain(spec.share().delta().value()),
        ReportText.claims(one));
    if (spec.queries() > 1) {
      ReportText.line(
          text, "             all %,d together: %s", spec.queries(), ReportText.claims(all));
    }
    noise(text);
    ReportText.line(
        text,
        "  datasets   answer for %,d %s after their window's close",
        spec.keep(),
        spec.keep() == 1 ? "window" : "windows");
    warnings().forEach(warning -> ReportText.line(text, "  warning    %s", warning));
  }

  private void noise(StringBuilder text) {
    AbcSpec spec = queries.spec();
    ReportText.line(
        text,
        "  noise      scale %.4g on %s (threshold %.4g) for %,d records and %,d candidates",
        answering.scale(),
        answering instanceof SparseVector
            ? "the threshold, twice that on each distance"
            : "distances",
        spec.threshold(),
        spec.planSize(),
        spec.candidates());
    if (answering instanceof RejectionCoin coin) {
      for (double thresholds : SHOWN) {
        ReportText.line(
            text,
            "             at %.1f thresholds %5.1f%% are accepted",
            thresholds,
            100 * coin.acceptance(thresholds * spec.threshold()));
      }
    }
  }

  @Override
  public void json(ObjectNode node) {
    AbcSpec spec = queries.spec();
    QueryMechanism mechanism = queries.plan().mechanism();
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("method", mechanism.method())
        .put("distance", spec.measure().word())
        .put("accountant", spec.accountant().word());
    if (!summaries.isEmpty()) {
      node.put("clip", spec.clip());
      ArrayNode told = node.putArray("summaries");
      summaries.forEach(told::add);
    }
    ReportText.share(node, queries);
    mechanism.parameters().forEach(node::put);
    node.put("mechanism", mechanism.charge().mechanism())
        .put("queries", spec.queries())
        .put("candidates", spec.candidates())
        .put("noise_scale", answering.scale());
    ReportText.claims(node.putArray("loss_of_one_query"), one);
    ReportText.claims(node.putArray("loss_of_all_queries"), all);
    ArrayNode warnings = node.putArray("warnings");
    warnings().forEach(warnings::add);
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    AbcSpec spec = queries.spec();
    if (answering.scale() > LOUD * spec.threshold() && !summaries.isEmpty()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the noise is %.3g thresholds, and more records do not lower it: answers will say little. Ask"
                  + " few candidates, raise the share or lower the clip; or measure features or categories,"
                  + " whose noise falls with the number of records",
              answering.scale() / spec.threshold()));
    } else if (answering.scale() > LOUD * spec.threshold()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the noise is %.3g thresholds for %,d records: answers will say little. Raise the share,"
                  + " plan fewer queries or candidates, or ask of windows with more records",
              answering.scale() / spec.threshold(),
              spec.planSize()));
    }
    return warnings;
  }
}
