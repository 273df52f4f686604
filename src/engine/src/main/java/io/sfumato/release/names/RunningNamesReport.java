// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import java.util.stream.IntStream;

/** What a plan says of names that are counted over windows. */
final class RunningNamesReport {
  private final Pipeline pipeline;
  private final PlannedRunningNames names;
  private final NamesSpec spec;
  private final RunningDiscovery plan;
  private final TestSchedule tests;
  private final RunningNameBars bars;

  RunningNamesReport(Pipeline pipeline, PlannedRunningNames names) {
    this.pipeline = pipeline;
    this.names = names;
    this.spec = names.spec();
    this.plan = names.discovery();
    this.tests = plan.tests();
    this.bars = new RunningNameBars(plan);
  }

  Facts facts() {
    Runs runs =
        new Runs(
            pipeline.window(),
            tests.windows(),
            pipeline.budget().period(),
            spec.perPeriod().isPresent());
    Facts facts =
        Facts.of("names", spec)
            .row("method")
            .words("", "noise", "gaussian")
            .say("discrete noise on rows of the root of running sums")
            .share(names)
            .mechanism(names);
    cost(facts)
        .row("runs")
        .number("of", "running", tests.windows(), "windows")
        .say("from %s, ...: all counts start again from zero with each run", runs.begins())
        .number("names are tested every", "test_every", tests.every(), "windows")
        .row("noise")
        .number("standard deviation", "coarse_deviation", plan.coarse().deviation(), "at a test")
        .number("", "deviation", plan.fine().deviation(), "in a window of a public name")
        .row("error")
        .bar("95% of running counts of public names within", "error_95", Math.ceil(width()), "")
        .say("at the end of a run, for a name that was found in the middle of it")
        .row("threshold")
        .number("noisy count so far of", "first_threshold", threshold(1), "at the first test")
        .number("", "threshold", threshold(tests.count()), "at the last")
        .number(
            "a name with",
            "half_point",
            threshold(tests.count()),
            "records is found in half of its runs")
        .row("delta")
        .number("", "threshold_delta", plan.thresholdDelta(), "for names that only one user has")
        .say("the rest for noise")
        .row("bounds")
        .say(
            "of a user in a %s at most %s",
            spec.perPeriod().isPresent() ? "period" : "window",
            Plurals.of(spec.perPeriod().orElse(spec.bounds().records()), "record"))
        .number("for one name at most", "per_name", spec.bounds().perName(), "records")
        .say("%s", spec.bounds().perName() == 1 ? "so that users are counted" : "")
        .row("list")
        .number("at most", "most", spec.most(), "public names of a subject")
        .say("none is found while the list is full");
    spec.forget()
        .ifPresent(
            windows ->
                facts
                    .say("a name stays public until a run ends")
                    .number("", "forget_names", windows, "windows")
                    .say("after the last window in which it passed"));
    return facts
        .allWarnings(runs.warning().stream().toList())
        .countError("counts of public names", largest());
  }

  private Facts cost(Facts facts) {
    return spec.perPeriod().isPresent()
        ? facts
            .row("cost")
            .number("the share lasts", "records", names.plan().releases(), "records")
            .ofUser(pipeline.budget().period())
        : facts.lasts(pipeline, names);
  }

  private long threshold(int test) {
    return plan.thresholds().get(test - 1).least();
  }

  private double width() {
    int test = (tests.count() + 1) / 2;
    return bars.halfWidth(test, tests.windows() - tests.last(test));
  }

  /** Of all names, whenever they were found. */
  private double largest() {
    return IntStream.rangeClosed(0, tests.count())
        .mapToDouble(
            test -> bars.halfWidth(test, tests.windows() - (test == 0 ? 0 : tests.last(test))))
        .max()
        .orElseThrow();
  }
}
