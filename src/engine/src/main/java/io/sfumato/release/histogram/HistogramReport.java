// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.history.Past;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import io.sfumato.release.histogram.HistogramFacts.ErrorBar;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a plan says of distributions: cost, error by planned count, promises and warnings. */
final class HistogramReport implements ReleaseReport {
  private final Pipeline pipeline;
  private final PlannedHistogram release;

  HistogramReport(Pipeline pipeline, PlannedHistogram release) {
    this.pipeline = pipeline;
    this.release = release;
  }

  @Override
  public void text(StringBuilder text) {
    HistogramSpec spec = release.spec();
    HistogramPlan plan = release.best();
    HistogramFacts facts = HistogramFacts.of(pipeline, release);
    ReportText.head(text, "release", release);
    ReportText.line(text, "  method     %s%s", method(plan), alternatives(facts));
    ReportText.line(
        text,
        "  cost       %sthe share lasts %,d %s%s",
        cost(plan),
        plan.releases(),
        plan.releases() == 1 ? "window" : "windows",
        lasts(pipeline, plan.releases()));
    ReportText.line(
        text,
        "  loss       epsilon of one release at delta %s: %s",
        ReportText.plain(spec.share().delta().value()),
        ReportText.claims(facts.one()));
    if (plan.releases() > 1) {
      ReportText.line(
          text,
          "             all %,d together: %s",
          plan.releases(),
          ReportText.claims(facts.all()));
    }
    ReportText.line(
        text,
        "  error      expected KL %.4g nats for %s records of the planned mix (guessing uniform is %.4g)",
        facts.expectedKl(),
        amount(spec.model().size()),
        facts.uniformKl());
    if (spec.learns()) {
      ReportText.line(
          text,
          "             of one window alone, as a subject's first release is: later ones learn from those of up to %d windows before, and come nearer as far as the data go on as they were",
          Past.WINDOWS);
    }
    for (ErrorBar bar : facts.errorBars()) {
      ReportText.line(
          text,
          "             count %6d, share %.3f: 95%% of releases say %.3f to %.3f",
          bar.count(),
          bar.share(),
          bar.low(),
          bar.high());
    }
    if (plan.mechanism().method().equals("dirichlet")) {
      ReportText.line(
          text,
          "  promise    %s",
          facts.tailPromise().isPresent()
              ? String.format(
                  Locale.ROOT,
                  "KL at most %.4g nats with probability 95%% (Theorem 2 of the paper)",
                  facts.tailPromise().getAsDouble())
              : "none by Theorem 2 of the paper: r times the plan's size must exceed 18");
    }
    facts.warnings().forEach(warning -> ReportText.line(text, "  warning    %s", warning));
  }

  @Override
  public void json(ObjectNode node) {
    HistogramSpec spec = release.spec();
    HistogramPlan plan = release.best();
    HistogramFacts facts = HistogramFacts.of(pipeline, release);
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("method", plan.mechanism().method())
        .put("accountant", spec.accountant().word());
    if (spec.learns()) {
      node.put("post_processing", HistogramReader.HISTORY).put("learns_from", Past.WINDOWS);
    }
    ReportText.share(node, release);
    node.put("order", plan.reportedOrder());
    plan.mechanism().parameters().forEach(node::put);
    node.put("mechanism", plan.mechanism().charge().mechanism())
        .put("renyi_epsilon", plan.mechanism().charge().curve().at(plan.reportedOrder()))
        .put("windows", plan.releases())
        .put("expected_kl", facts.expectedKl())
        .put("uniform_kl", facts.uniformKl());
    ReportText.claims(node.putArray("loss_of_one_release"), facts.one());
    ReportText.claims(node.putArray("loss_of_all_releases"), facts.all());
    ArrayNode bars = node.putArray("error_bars");
    for (ErrorBar bar : facts.errorBars()) {
      bars.addObject()
          .put("count", bar.count())
          .put("share", bar.share())
          .put("low", bar.low())
          .put("high", bar.high());
    }
    facts.tailPromise().ifPresent(eta -> node.put("kl_promised_95", eta));
    if (!facts.alternatives().isEmpty()) {
      facts.alternatives().forEach(node.putObject("expected_kl_by_method")::put);
    }
    ArrayNode warnings = node.putArray("warnings");
    facts.warnings().forEach(warnings::add);
  }

  private static String method(HistogramPlan plan) {
    String parameters =
        plan.mechanism().parameters().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s = %.6g", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", "));
    return switch (plan.mechanism().method()) {
      case "dirichlet" -> "y ~ Dirichlet(r f + alpha), " + parameters;
      case "gaussian" -> "discrete Gaussian noise on the counts, " + parameters;
      default -> "discrete Laplace noise on the counts, " + parameters;
    };
  }

  private static String alternatives(HistogramFacts facts) {
    return facts.alternatives().isEmpty()
        ? ""
        : facts.alternatives().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s %.4g", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", ", " (best of: expected KL ", ")"));
  }

  private static String cost(HistogramPlan plan) {
    if (plan.share().counting() instanceof Counting.AtOrder at) {
      return String.format(
          Locale.ROOT,
          "%.6g of %.6g nats a release: ",
          RenyiUnits.toNats(at.cost(plan.mechanism().charge())),
          RenyiUnits.toNats(at.cap()));
    }
    return "";
  }

  private static String lasts(Pipeline pipeline, long windows) {
    if (pipeline.budget().period() instanceof Period.Window) {
      return ", a new one every window";
    }
    if (pipeline.budget().period() instanceof Period.Any any) {
      return " of those that any " + any.spoken() + " touch";
    }
    if (pipeline.population().isPresent()) {
      return ReportText.lastsUser(pipeline.budget().period());
    }
    double days = HistogramFacts.lasts(pipeline, windows).toMillis() / 86_400_000.0;
    String length =
        days >= 2
            ? String.format(Locale.ROOT, "%.0f days", days)
            : String.format(Locale.ROOT, "%.3g hours", days * 24);
    return pipeline.budget().period() instanceof Period.Lifetime
        ? " of a subject (" + length + " if all have records), then ONE refusal and silence"
        : " of a subject in each period of " + pipeline.budget().period().word();
  }

  private static String amount(double size) {
    return size == Math.rint(size) ? Long.toString((long) size) : Double.toString(size);
  }
}
