// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.pipeline.ReleaseFacts.ErrorBar;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A plan in words and as JSON. */
public final class PlanReport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PlanReport() {}

  /** For people. */
  public static String text(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    StringBuilder text = new StringBuilder();
    line(text, "pipeline   %s, version %d", pipeline.name(), pipeline.version());
    line(
        text,
        "windows    %s of event time%s, closing %s after their end by %s",
        Fields.word(pipeline.window().size()),
        pipeline.window().begin().isPresent()
            ? " from " + WindowSpec.beginText(pipeline.window().begin().getAsLong()) + " on"
            : "",
        Fields.word(pipeline.window().grace()),
        pipeline.window().clock() == WindowSpec.Clock.RECORDS ? "the records' clock" : "ticks");
    line(
        text,
        "budget     %s: epsilon %s, delta %s per %s and %s, unit %s",
        pipeline.budget().name(),
        pipeline.budget().epsilon(),
        pipeline.budget().delta(),
        pipeline.population().isPresent() ? "user" : "subject",
        pipeline.budget().period().word(),
        pipeline.budget().unit().word());
    line(
        text,
        "account    %s",
        pipeline
            .budget()
            .account()
            .map(
                a ->
                    "%s: this budget takes its share of epsilon %s, delta %s, for good"
                        .formatted(a.name(), a.epsilon(), a.delta()))
            .orElse(
                "none: what other pipelines release about the same %s ADDS to these losses"
                    .formatted(pipeline.population().isPresent() ? "users" : "subjects")));
    line(text, "protects   %s", protects(pipeline));
    PathReport.text(pipeline).ifPresent(paths -> line(text, "fields     %s", paths));
    ExampleReport.of(pipeline).ifPresent(example -> example.text(text));
    line(text, "sizes      %s", SizeReport.text(WorstCase.of(plan)));
    if (pipeline.window().lacksBegin()) {
      line(
          text,
          "warning    field 'window.begin' is missing: a new pipeline under 'clock: ticks' needs the start of"
              + " its first window, such as begin: 2026-01-05");
    }
    plan.releases().forEach(release -> text(text, pipeline, release));
    unequalShares(plan).ifPresent(warning -> line(text, "%nwarning    %s", warning));
    return text.toString();
  }

  /** A window of a user counts for all outputs or for none. */
  private static Optional<String> unequalShares(Plan plan) {
    LongSummaryStatistics windows =
        Stream.concat(
                plan.histograms().stream().map(planned -> planned.spec().horizon()),
                plan.counts().stream().map(planned -> planned.spec().horizon()))
            .mapToLong(Long::longValue)
            .summaryStatistics();
    return plan.pipeline().population().isEmpty() || windows.getMin() == windows.getMax()
        ? Optional.empty()
        : Optional.of(
            "the shares last a user from %,d to %,d windows, and a user's records count for all outputs or for none: what lasts longer is wasted. Plan the same 'windows' for all"
                .formatted(windows.getMin(), windows.getMax()));
  }

  private static void text(StringBuilder text, Pipeline pipeline, PlannedRelease release) {
    if (release instanceof PlannedHistogram histogram) {
      text(text, pipeline, histogram);
    } else if (release instanceof PlannedQueries queries) {
      new QueryReport(queries).text(text);
    } else if (release instanceof PlannedItems items) {
      new ItemsReport(items).text(text);
    } else if (release instanceof PlannedCounts counts) {
      new CountReport(pipeline, counts).text(text);
      ExampleReport.of(pipeline).ifPresent(example -> example.text(text, counts));
    }
  }

  private static void text(StringBuilder text, Pipeline pipeline, PlannedHistogram release) {
    HistogramSpec spec = release.spec();
    ReleasePlan plan = release.plan();
    ReleaseFacts facts = ReleaseFacts.of(pipeline, release);
    line(text, "");
    line(text, "release    %s -> topic %s", spec.name(), spec.topic());
    line(
        text,
        "  share      epsilon %s, delta %s, counted by %s",
        spec.share().epsilon(),
        spec.share().delta(),
        plan.share().counting().words());
    line(text, "  method     %s%s", method(plan), alternatives(facts));
    line(
        text,
        "  cost       %sthe share lasts %,d %s%s",
        cost(plan),
        plan.releases(),
        plan.releases() == 1 ? "window" : "windows",
        lasts(pipeline, plan.releases()));
    line(
        text,
        "  loss       one release (epsilon, %s): %s",
        spec.share().delta(),
        claims(facts.one()));
    if (plan.releases() > 1) {
      line(text, "             all %,d together: %s", plan.releases(), claims(facts.all()));
    }
    line(
        text,
        "  error      expected KL %.4g nats for %s records of the planned mix (guessing uniform is %.4g)",
        facts.expectedKl(),
        amount(spec.model().size()),
        facts.uniformKl());
    for (ErrorBar bar : facts.errorBars()) {
      line(
          text,
          "             count %6d, share %.3f: 95%% of releases say %.3f to %.3f",
          bar.count(),
          bar.share(),
          bar.low(),
          bar.high());
    }
    if (plan.mechanism().method().equals("dirichlet")) {
      line(
          text,
          "  promise    %s",
          facts.tailPromise().isPresent()
              ? String.format(
                  Locale.ROOT,
                  "KL at most %.4g nats with probability 95%% (Theorem 2 of the paper)",
                  facts.tailPromise().getAsDouble())
              : "none by Theorem 2 of the paper: r times the plan's size must exceed 18");
    }
    facts.warnings().forEach(warning -> line(text, "  warning    %s", warning));
  }

  /** For programs. */
  public static String json(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    ObjectNode root = JSON.createObjectNode();
    root.put("pipeline", pipeline.name()).put("version", pipeline.version());
    root.put("protects", protects(pipeline));
    Map<String, String> paths = PathReport.of(pipeline);
    if (!paths.isEmpty()) {
      paths.forEach(root.putObject("fields")::put);
    }
    ExampleReport.of(pipeline).ifPresent(example -> example.json(root));
    ObjectNode budget =
        root.putObject("budget")
            .put("name", pipeline.budget().name())
            .put("unit", pipeline.budget().unit().word())
            .put("epsilon", pipeline.budget().epsilon().value())
            .put("delta", pipeline.budget().delta().value())
            .put("period", pipeline.budget().period().word());
    pipeline
        .budget()
        .account()
        .ifPresent(
            account ->
                budget
                    .putObject("account")
                    .put("name", account.name())
                    .put("epsilon", account.epsilon().value())
                    .put("delta", account.delta().value()));
    SizeReport.json(WorstCase.of(plan), root.putObject("largest_bytes"));
    unequalShares(plan).ifPresent(warning -> root.putArray("warnings").add(warning));
    ArrayNode releases = root.putArray("releases");
    for (PlannedRelease release : plan.releases()) {
      if (release instanceof PlannedHistogram histogram) {
        json(releases.addObject(), pipeline, histogram);
      } else if (release instanceof PlannedQueries queries) {
        new QueryReport(queries).json(releases.addObject());
      } else if (release instanceof PlannedItems items) {
        new ItemsReport(items).json(releases.addObject());
      } else if (release instanceof PlannedCounts counts) {
        new CountReport(pipeline, counts).json(releases.addObject());
      }
    }
    return root.toPrettyString();
  }

  private static void json(ObjectNode node, Pipeline pipeline, PlannedHistogram release) {
    HistogramSpec spec = release.spec();
    ReleasePlan plan = release.plan();
    ReleaseFacts facts = ReleaseFacts.of(pipeline, release);
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("method", plan.mechanism().method())
        .put("accountant", spec.accountant().word())
        .put("epsilon", spec.share().epsilon().value())
        .put("delta", spec.share().delta().value())
        .put("counted_by", plan.share().counting().words())
        .put("order", plan.reportedOrder());
    plan.mechanism().parameters().forEach(node::put);
    node.put("mechanism", plan.mechanism().charge().mechanism())
        .put("renyi_epsilon", plan.mechanism().charge().curve().at(plan.reportedOrder()))
        .put("windows", plan.releases())
        .put("expected_kl", facts.expectedKl())
        .put("uniform_kl", facts.uniformKl());
    claims(node.putArray("loss_of_one_release"), facts.one());
    claims(node.putArray("loss_of_all_releases"), facts.all());
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

  static void claims(ArrayNode array, LossReport report) {
    for (Claim claim : report.claims()) {
      array
          .addObject()
          .put("accountant", claim.accountant())
          .put("epsilon", claim.epsilon())
          .put("width", claim.width());
    }
  }

  static String claims(LossReport report) {
    return report.claims().stream()
        .map(
            claim ->
                String.format(
                    Locale.ROOT,
                    claim.width() > 0 ? "%.4g by %s (width %.1g)" : "%.4g by %s",
                    claim.epsilon(),
                    claim.accountant(),
                    claim.width()))
        .collect(Collectors.joining(", "));
  }

  private static String method(ReleasePlan plan) {
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

  private static String alternatives(ReleaseFacts facts) {
    return facts.alternatives().isEmpty()
        ? ""
        : facts.alternatives().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s %.4g", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", ", " (best of: expected KL ", ")"));
  }

  private static String cost(ReleasePlan plan) {
    if (plan.share().counting() instanceof Counting.AtOrder at) {
      return String.format(
          Locale.ROOT,
          "%.6g of %.6g nats a release: ",
          RenyiUnits.toNats(at.cost(plan.mechanism().charge())),
          RenyiUnits.toNats(at.cap()));
    }
    return "";
  }

  /** What the guarantee bounds, in the words of docs/privacy.md. */
  public static String protects(Pipeline pipeline) {
    if (pipeline.population().isPresent()) {
      return users(pipeline.population().get(), pipeline.budget().period());
    }
    if (pipeline.budget().unit() == PrivacyUnit.DATASET) {
      return "everything about a subject's records in one "
          + (pipeline.budget().period() instanceof Period.Window ? "window" : "period")
          + ", whether there were any included; who is enrolled stays public";
    }
    String bound =
        pipeline.budget().period() instanceof Period.Window
            ? "what all outputs together reveal about the "
                + pipeline.input().content()
                + " of any ONE record"
            : "what all outputs of one period together reveal about one record's "
                + pipeline.input().content()
                + ", even if one record in EVERY window of the period is changed";
    return bound + "; who has records, how many and when stays public";
  }

  private static String users(Population population, Period period) {
    String what =
        period instanceof Period.Window
            ? "all that any ONE user did in one window (a user's window, not the user)"
            : "all that any ONE user did in one period";
    return "%s, whether there was anything; of a user and window %,d %s of %,d %s count at most%s; the list of subjects stays public"
        .formatted(
            what,
            population.records(),
            population.items().isPresent() ? "items" : "records",
            population.subjects(),
            population.subjects() == 1 ? "subject" : "subjects",
            population.leftOut().isPresent()
                ? String.format(
                    Locale.ROOT,
                    ", and %,d more are told as left out",
                    population.leftOut().getAsInt())
                : "");
  }

  private static String lasts(Pipeline pipeline, long windows) {
    if (pipeline.budget().period() instanceof Period.Window) {
      return ", a new one every window";
    }
    if (pipeline.population().isPresent()) {
      return lastsUser(pipeline.budget().period());
    }
    double days = ReleaseFacts.lasts(pipeline, windows).toMillis() / 86_400_000.0;
    String length =
        days >= 2
            ? String.format(Locale.ROOT, "%.0f days", days)
            : String.format(Locale.ROOT, "%.3g hours", days * 24);
    return pipeline.budget().period() instanceof Period.Lifetime
        ? " of a subject (" + length + " if all have records), then ONE refusal and silence"
        : " of a subject in each period of " + pipeline.budget().period().word();
  }

  /**
   * Behind the last one nothing of a user counts: nobody is told, since that would tell of them.
   */
  static String lastsUser(Period period) {
    return " of a user"
        + (period instanceof Period.Lifetime ? "" : " in each period of " + period.word())
        + ", whose later records do not count";
  }

  private static String amount(double size) {
    return size == Math.rint(size) ? Long.toString((long) size) : Double.toString(size);
  }

  static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
