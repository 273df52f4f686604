// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.estimate.discovery.RunningNameBars;
import io.sfumato.mechanism.discovery.RunningDiscovery;
import io.sfumato.mechanism.discovery.Tests;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** What a plan says of names that are counted over windows. */
final class RunningNamesReport implements ReleaseReport {
  private final Pipeline pipeline;
  private final PlannedRunningNames names;
  private final NamesSpec spec;
  private final RunningDiscovery plan;
  private final Tests tests;
  private final RunningNameBars bars;
  private final Runs runs;

  RunningNamesReport(Pipeline pipeline, PlannedRunningNames names) {
    this.pipeline = pipeline;
    this.names = names;
    this.spec = names.spec();
    this.plan = names.discovery();
    this.tests = plan.tests();
    this.bars = new RunningNameBars(plan);
    this.runs =
        new Runs(
            pipeline.window(),
            tests.windows(),
            pipeline.budget().period(),
            spec.perPeriod().isPresent());
  }

  @Override
  public void text(StringBuilder text) {
    ReportText.head(text, "names", names);
    ReportText.line(
        text,
        "  bounds     at most %s of a user in a %s, %,d for one name%s",
        Amount.of(spec.perPeriod().orElse(spec.bounds().records()), "record"),
        spec.perPeriod().isPresent() ? "period" : "window",
        spec.bounds().perName(),
        spec.bounds().perName() == 1 ? ": users are counted" : "");
    ReportText.line(
        text,
        "  runs       of %,d windows, from %s, ...: all counts begin anew with each",
        tests.windows(),
        runs.begins());
    ReportText.line(
        text,
        "  method     discrete Gaussian noise on rows of the root of running sums: standard deviation %s a test, %s a window of a public name",
        ReportText.rounded(plan.coarse().deviation()),
        ReportText.rounded(plan.fine().deviation()));
    ReportText.line(
        text,
        "  found      every %,d of %,d windows, then anew: a name whose noisy count so far is %,d or more at the first test, %,d at the last; half of those with as many%s",
        tests.every(),
        tests.windows(),
        threshold(1),
        threshold(tests.count()),
        spec.forget()
            .map(
                windows ->
                    "; public until a run ends %s after the last window with that"
                        .formatted(Amount.of(windows, "window")))
            .orElse(""));
    ReportText.line(
        text,
        "  error      running counts of public names: 95%% within +-%s at the end, of one that was found in the middle",
        ReportText.rounded(Math.ceil(width())));
    ReportText.line(
        text,
        "  delta      %s of %s for names that one user alone has, the rest for noise",
        ReportText.rounded(plan.thresholdDelta().doubleValue()),
        spec.share().delta());
    ReportText.line(
        text,
        "  list       at most %,d public names of a subject; none is found while it is full",
        spec.most());
    ReportText.line(text, "  cost       %s", cost());
    runs.warning().ifPresent(line -> ReportText.line(text, "  warning    %s", line));
  }

  private String cost() {
    return spec.perPeriod().isPresent()
        ? "the share lasts %s%s"
            .formatted(
                Amount.of(names.plan().releases(), "record"),
                ReportText.lastsUser(pipeline.budget().period()))
        : ReportText.lasts(pipeline.budget().period(), names.plan().releases(), true);
  }

  private long threshold(int test) {
    return plan.thresholds().get(test - 1).least();
  }

  private double width() {
    int test = (tests.count() + 1) / 2;
    return bars.halfWidth(test, tests.windows() - tests.last(test));
  }

  @Override
  public String counted() {
    return "counts of public names";
  }

  @Override
  public OptionalDouble countError() {
    return IntStream.rangeClosed(0, tests.count())
        .mapToDouble(
            test -> bars.halfWidth(test, tests.windows() - (test == 0 ? 0 : tests.last(test))))
        .max();
  }

  @Override
  public void json(ObjectNode node) {
    node.put("name", spec.name()).put("topic", spec.topic()).put("noise", "gaussian");
    ReportText.share(node, names);
    node.put("mechanism", names.charge().mechanism())
        .put(spec.perPeriod().isPresent() ? "records" : "windows", names.plan().releases())
        .put("running", tests.windows())
        .put("test_every", tests.every())
        .put("coarse_deviation", plan.coarse().deviation())
        .put("deviation", plan.fine().deviation())
        .put("error_95", Math.ceil(width()))
        .put("first_threshold", threshold(1))
        .put("threshold", threshold(tests.count()))
        .put("half_point", threshold(tests.count()))
        .put("threshold_delta", plan.thresholdDelta())
        .put("per_name", spec.bounds().perName())
        .put("most", spec.most());
    spec.forget().ifPresent(windows -> node.put("forget_names", windows));
    runs.warning().ifPresent(node.putArray("warnings")::add);
  }
}
