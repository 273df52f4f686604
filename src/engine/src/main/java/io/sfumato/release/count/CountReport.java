// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.history.Past;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import io.sfumato.pipeline.Words;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What a plan says of counts. */
final class CountReport implements ReleaseReport {
  /** Part of an error below which another method is worth a word. */
  private static final double WORTH = 0.9;

  private final PlannedCount counts;
  private final Period period;
  private final Optional<Population> population;

  public CountReport(Pipeline pipeline, PlannedCount counts) {
    this.counts = counts;
    this.period = pipeline.budget().period();
    this.population = pipeline.population();
  }

  @Override
  public void text(StringBuilder text) {
    CountSpec spec = counts.spec();
    AdditiveNoise noise = counts.plan().mechanism().noise();
    ReportText.head(text, "count", counts);
    if (spec.grouping() == CountSpec.Grouping.LEFT_OUT) {
      ReportText.line(
          text,
          "  counts     records that 'contributions' left out, at most %,d of a user and window",
          spec.recordsOfUser());
    }
    ReportText.line(
        text,
        "  method     discrete %s noise with standard deviation %.4g on every count%s",
        noise.method().equals("gaussian") ? "Gaussian" : "Laplace",
        noise.deviation(),
        alternatives());
    ReportText.line(
        text, "  cost       %s", ReportText.lasts(period, counts.plan().releases(), true));
    if (counts.tree().isPresent()) {
      int windows = counts.tree().get().windows();
      ReportText.line(
          text,
          "  error      running over %,d windows, then anew: 95%% within +-%,d at first, within +-%,d always",
          windows,
          noise.halfWidth(1),
          noise.halfWidth(counts.mostDraws()));
    } else {
      ReportText.line(text, "  error      95%% of counts within +-%,d", noise.halfWidth(1));
    }
    if (spec.learns()) {
      ReportText.line(
          text,
          "             of the noisy counts: estimates learn from those of up to %d windows before, and come nearer as far as the data go on as they were",
          Past.WINDOWS);
    }
    narrower()
        .ifPresent(
            plan ->
                ReportText.line(
                    text,
                    "  warning    'method: %s' would err by +-%,d",
                    method(plan),
                    plan.mechanism().noise().halfWidth(1)));
    population.ifPresent(users -> new ExampleBias(users, counts).text(text));
  }

  /** Another noise with far narrower bars, of windows' own counts. */
  private Optional<Planned<CountMeasurement<CountQuery>>> narrower() {
    if (counts.tree().isPresent()) {
      return Optional.empty();
    }
    double mine = counts.plan().mechanism().noise().halfWidth(1);
    return CountMethods.ofOneWindow(counts.spec().withBestMethod()).stream()
        .findFirst()
        .filter(best -> best.mechanism().noise().halfWidth(1) < WORTH * mine);
  }

  private String alternatives() {
    return counts.candidates().size() < 2
        ? ""
        : counts.candidates().stream()
            .map(plan -> "%s +-%d".formatted(method(plan), halfWidth(plan)))
            .collect(Collectors.joining(", ", " (best of: ", ")"));
  }

  private static String method(Planned<CountMeasurement<CountQuery>> plan) {
    return plan.mechanism().noise().method();
  }

  private long halfWidth(Planned<CountMeasurement<CountQuery>> plan) {
    return plan.mechanism().noise().halfWidth(counts.mostDraws());
  }

  @Override
  public OptionalDouble countError() {
    // What was left out is not left out of itself.
    return counts.spec().grouping() == CountSpec.Grouping.LEFT_OUT
        ? OptionalDouble.empty()
        : OptionalDouble.of(counts.plan().mechanism().noise().halfWidth(counts.mostDraws()));
  }

  @Override
  public void json(ObjectNode node) {
    CountSpec spec = counts.spec();
    AdditiveNoise noise = counts.plan().mechanism().noise();
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("method", noise.method())
        .put("by", Words.word(spec.grouping()));
    if (spec.learns()) {
      node.put("post_processing", CountReader.HISTORY).put("learns_from", Past.WINDOWS);
    }
    ReportText.share(node, counts);
    node.put("mechanism", counts.charge().mechanism())
        .put("windows", counts.plan().releases())
        .put("deviation", noise.deviation())
        .put("error_95", noise.halfWidth(1));
    counts
        .tree()
        .ifPresent(
            tree ->
                node.put("running", tree.windows())
                    .put("largest_error_95", noise.halfWidth(counts.mostDraws())));
    if (counts.candidates().size() > 1) {
      ObjectNode errors = node.putObject("error_95_by_method");
      counts.candidates().forEach(plan -> errors.put(method(plan), halfWidth(plan)));
    }
  }
}
