// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.Lengths;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import io.sfumato.pipeline.Schedule;
import io.sfumato.pipeline.TotalError;
import io.sfumato.pipeline.WindowSpec;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A plan in words and as JSON. */
public final class PlanReport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PlanReport() {}

  /** For people. */
  public static String text(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    StringBuilder text = new StringBuilder();
    ReportText.line(text, "pipeline   %s, version %d", pipeline.name(), pipeline.version());
    ReportText.line(
        text,
        "windows    %s of event time%s, closing %s after their end by %s",
        Lengths.word(pipeline.window().size()),
        pipeline.window().begin().isPresent()
            ? " from " + WindowSpec.beginText(pipeline.window().begin().getAsLong()) + " on"
            : "",
        Lengths.word(pipeline.window().grace()),
        pipeline.window().clock() == WindowSpec.Clock.RECORDS ? "the records' clock" : "ticks");
    ReportText.line(
        text,
        "budget     %s: epsilon %s, delta %s per %s and %s, unit %s",
        pipeline.budget().name(),
        ReportText.plain(pipeline.budget().epsilon().value()),
        ReportText.plain(pipeline.budget().delta().value()),
        pipeline.population().isPresent() ? "user" : "subject",
        pipeline.budget().period().word(),
        pipeline.budget().unit().word());
    ReportText.line(
        text,
        "account    %s",
        pipeline
            .budget()
            .account()
            .map(
                a ->
                    "%s: this budget takes its share of epsilon %s, delta %s, for good"
                        .formatted(
                            a.name(),
                            ReportText.plain(a.epsilon().value()),
                            ReportText.plain(a.delta().value())))
            .orElse(
                "none: what other pipelines release about the same %s ADDS to these losses"
                    .formatted(pipeline.population().isPresent() ? "users" : "subjects")));
    ReportText.line(text, "protects   %s", protects(pipeline));
    new SpanReport(plan).text().ifPresent(spans -> ReportText.line(text, "spans      %s", spans));
    PathReport.text(pipeline).ifPresent(paths -> ReportText.line(text, "fields     %s", paths));
    ExampleReport.of(pipeline).ifPresent(example -> example.text(text));
    ReportText.line(text, "sizes      %s", SizeReport.text(WorstCase.of(plan)));
    lacksBegin(pipeline).ifPresent(warning -> ReportText.line(text, "warning    %s", warning));
    for (PlannedRelease release : plan.releases()) {
      ReleaseReport report = release.report(pipeline);
      report.text(text);
      TotalError.of(pipeline, report).ifPresent(total -> total.text(text));
    }
    pipeline.derived().forEach(derived -> derived.report().text(text));
    unequalShares(plan).ifPresent(warning -> ReportText.line(text, "%nwarning    %s", warning));
    return text.toString();
  }

  private static Optional<String> lacksBegin(Pipeline pipeline) {
    return pipeline.window().lacksBegin()
        ? Optional.of(
            "field 'window.begin' is missing: a new pipeline under 'clock: ticks' needs the start of"
                + " its first window, such as begin: 2026-01-05")
        : Optional.empty();
  }

  /** What it warns of as a whole, beside the warnings of each release. */
  public static List<String> warnings(Plan plan) {
    return Stream.of(lacksBegin(plan.pipeline()), unequalShares(plan))
        .flatMap(Optional::stream)
        .toList();
  }

  /** A window of a user counts for all outputs or for none. */
  private static Optional<String> unequalShares(Plan plan) {
    LongSummaryStatistics windows =
        plan.releases().stream()
            .filter(release -> release.spec().schedule() == Schedule.EVERY_WINDOW)
            .mapToLong(release -> release.spec().horizon())
            .summaryStatistics();
    return plan.pipeline().population().isEmpty() || windows.getMin() >= windows.getMax()
        ? Optional.empty()
        : Optional.of(
            "the shares last a user from %,d to %,d windows, and a user's records count for all outputs or for none: what lasts longer is wasted. Plan the same 'windows' for all"
                .formatted(windows.getMin(), windows.getMax()));
  }

  /** For programs. */
  public static String json(Plan plan) {
    return tree(plan).toPrettyString();
  }

  /** For programs that have more to say. */
  public static ObjectNode tree(Plan plan) {
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
    new SpanReport(plan).json(root);
    SizeReport.json(WorstCase.of(plan), root.putObject("largest_bytes"));
    unequalShares(plan).ifPresent(warning -> root.putArray("warnings").add(warning));
    ArrayNode releases = root.putArray("releases");
    for (PlannedRelease release : plan.releases()) {
      ReleaseReport report = release.report(pipeline);
      ObjectNode node = releases.addObject();
      report.json(node);
      TotalError.of(pipeline, report).ifPresent(total -> total.json(node));
    }
    if (!pipeline.derived().isEmpty()) {
      ArrayNode derived = root.putArray("derived");
      pipeline.derived().forEach(made -> made.report().json(derived.addObject()));
    }
    return root;
  }

  /** What the guarantee bounds, in the words of docs/privacy.md. */
  public static String protects(Pipeline pipeline) {
    if (pipeline.population().isPresent()) {
      Population population = pipeline.population().get();
      return users(
              population,
              pipeline.input().counted(population.records())
                  + (population.records() == 1 ? " counts" : " count"),
              pipeline.budget().period())
          + (pipeline.subjects() == Pipeline.Subjects.DISCOVERED
              ? "; subjects that were published stay public"
              : "; the list of subjects stays public");
    }
    if (pipeline.budget().unit() == PrivacyUnit.DATASET) {
      return "everything about a subject's records in "
          + pipeline
              .budget()
              .anySpan()
              .map(span -> span.whatever() + ": in all windows that these touch")
              .orElse(
                  "one "
                      + (pipeline.budget().period() instanceof Period.Window ? "window" : "period"))
          + ", whether there were any included; who is enrolled stays public";
    }
    String bound =
        pipeline.budget().period() instanceof Period.Window
            ? "what all outputs together reveal about the "
                + pipeline.input().content()
                + " of any ONE record"
            : pipeline
                .budget()
                .anySpan()
                .map(
                    span ->
                        "what all outputs together reveal about one record's "
                            + pipeline.input().content()
                            + ", "
                            + span.whatever()
                            + ", even if one record of ONE subject in EVERY window that these touch is changed")
                .orElse(
                    "what all outputs of one period together reveal about one record's "
                        + pipeline.input().content()
                        + ", even if one record of ONE subject in EVERY window of the period is changed");
    return bound + "; who has records, how many and when stays public";
  }

  private static String users(Population population, String counted, Period period) {
    String what =
        period instanceof Period.Window
            ? "all that any ONE user did in one window (a user's window, not the user)"
            : period instanceof Period.Any any
                ? "all that any ONE user did, "
                    + any.whatever()
                    + ", in the windows that these touch"
                : period instanceof Period.Lifetime
                    ? "all that any ONE user did at any time"
                    : "all that any ONE user did in one period";
    return "%s, whether there was anything; of a user and window at most %s, for at most %s%s"
        .formatted(
            what,
            counted,
            Amount.of(population.subjects(), "subject"),
            population.leftOut().isPresent()
                ? String.format(
                    Locale.ROOT,
                    ", and %,d more are told as left out",
                    population.leftOut().getAsInt())
                : "");
  }
}
