// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sfumato.ops.RunningCounts.Charged;
import io.sfumato.ops.RunningCounts.Refused;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.RejectionCode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The counts as metrics. Series of known labels exist from the start, so that a rate sees their
 * first step; those of partitions come and go with the partitions. No label ever holds a subject.
 */
final class PipelineMetrics implements MeterBinder {
  /** Parts of a share that are watched. */
  private static final List<Double> PARTS = List.of(0.5, 0.8, 1.0);

  private final Plan plan;
  private final RunningCounts counts;
  private final TickAge age;
  private final String noiseKeyTag;
  private final Map<Integer, List<Meter>> ofPartitions = new HashMap<>();

  /**
   * @param age of the last tick
   * @param noiseKeyTag fingerprint of the noise key
   */
  PipelineMetrics(Plan plan, RunningCounts counts, TickAge age, String noiseKeyTag) {
    this.plan = plan;
    this.counts = counts;
    this.age = age;
    this.noiseKeyTag = noiseKeyTag;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    about(registry);
    window(registry);
    records(registry);
    for (PlannedRelease release : plan.releases()) {
      outputs(registry, release);
      budget(registry, release);
    }
  }

  private void about(MeterRegistry registry) {
    Gauge.builder("sfumato.pipeline.info", () -> 1)
        .description("What runs: always 1")
        .tag("pipeline", plan.pipeline().name())
        .tag("version", Integer.toString(plan.pipeline().version()))
        .tag("budget", plan.pipeline().budget().name())
        .tag("noise_key", noiseKeyTag)
        .register(registry);
  }

  private void window(MeterRegistry registry) {
    double seconds = plan.pipeline().window().size().toMillis() / 1e3;
    Gauge.builder("sfumato.window.size.seconds", () -> seconds)
        .description("Length of a window, of event time")
        .register(registry);
    if (plan.pipeline().window().clock() == WindowSpec.Clock.TICKS) {
      Gauge.builder("sfumato.tick.age.seconds", age, a -> a.millis().orElse(0) / 1e3)
          .description(
              "Time since the last tick of the source partition that has waited longest; 0 where none is read")
          .register(registry);
      Gauge.builder(
              "sfumato.tick.age.limit.seconds",
              () -> TickAge.limit(plan.pipeline().window()).toMillis() / 1e3)
          .description("The longest age of a tick before this instance is not ready")
          .register(registry);
      Gauge.builder(
              "sfumato.clock.ahead.seconds", counts, c -> c.ticks().own().ahead().toMillis() / 1e3)
          .description(
              "By how much this machine's clock is ahead of a broker's, where that is too much to tick; negative where it is behind, otherwise 0")
          .register(registry);
    }
  }

  private void records(MeterRegistry registry) {
    String about =
        "Records read, by what became of them; counted when their transaction is committed";
    counter(
        registry,
        "sfumato.records",
        about,
        Tags.of("outcome", "accepted"),
        c -> c.acceptedRecords());
    for (RejectionCode code : RejectionCode.values()) {
      counter(
          registry,
          "sfumato.records",
          about,
          Tags.of("outcome", code.name().toLowerCase(Locale.ROOT)),
          c -> c.rejections().getOrDefault(code, 0L));
    }
    String ticks =
        "Ticks: taken, passed over for being another budget's, or refused for their time";
    counter(
        registry, "sfumato.ticks", ticks, Tags.of("outcome", "taken"), c -> c.ticks().takenTicks());
    counter(
        registry,
        "sfumato.ticks",
        ticks,
        Tags.of("outcome", "other_budget"),
        c -> c.ticks().ticksOfOthers());
    counter(
        registry,
        "sfumato.ticks",
        ticks,
        Tags.of("outcome", "time_out_of_range"),
        c -> c.refusedTicks().getOrDefault(RejectionCode.TIME_OUT_OF_RANGE, 0L));
    counter(
        registry,
        "sfumato.records.unenrolled",
        "Accepted records of subjects that were not enrolled for their window",
        Tags.empty(),
        c -> c.notEnrolledRecords());
  }

  private void outputs(MeterRegistry registry, PlannedRelease release) {
    String output = release.spec().name();
    Tags tags = Tags.of("output", output);
    counter(
        registry,
        "sfumato.releases",
        "Outputs drawn and charged; counted when their transaction is committed",
        tags,
        c -> c.releasesByOutput().getOrDefault(output, 0L));
    for (RefusalCode code : RefusalCode.values()) {
      counter(
          registry,
          "sfumato.refusals",
          "Outputs refused, by reason",
          tags.and("code", code.name().toLowerCase(Locale.ROOT)),
          c -> c.refusalsByReason().getOrDefault(new Refused(output, code.name()), 0L));
    }
    counter(
        registry,
        "sfumato.silences",
        "Windows passed over without a word, their subject's budget being exhausted",
        tags,
        c -> c.silences().getOrDefault(output, 0L));
    Charged charged = new Charged(release.share().name(), release.charge().mechanism());
    counter(
        registry,
        "sfumato.charges",
        "Charges to ledgers, by mechanism",
        Tags.of("share", charged.share(), "mechanism", charged.mechanism(), "output", output),
        c -> c.charges().getOrDefault(charged, 0L));
    if (release.spec().answersQueries()) {
      counter(
          registry,
          "sfumato.query.candidates",
          "Candidates of the queries that were taken on; answers are releases",
          tags,
          c -> c.candidates().getOrDefault(output, 0L));
    }
    if (release.fitsLaws()) {
      counter(
          registry,
          "sfumato.learner.failures",
          "Weak learners that failed while densities were fitted",
          tags,
          c -> c.learnerFailures().getOrDefault(output, 0L));
    }
  }

  private void budget(MeterRegistry registry, PlannedRelease release) {
    String share = release.share().name();
    for (double part : PARTS) {
      Gauge.builder(
              "sfumato.budget.spent.subjects.ratio",
              counts,
              c -> BudgetView.of(c.spent().get(share)).atLeast(part))
          .description(
              "Part of this instance's subjects that have spent so much of a share; coarse on purpose")
          .tags("share", share, "at_least", Double.toString(part))
          .register(registry);
    }
    Gauge.builder(
            "sfumato.budget.releases.left",
            counts,
            c -> BudgetView.of(c.spent().get(share)).left(release))
        .description(
            "Releases, or queries, that half of this instance's subjects have left at most; coarse on purpose")
        .tag("share", share)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String about,
      Tags tags,
      ToDoubleFunction<RunningCounts> value) {
    FunctionCounter.builder(name, counts, value).description(about).tags(tags).register(registry);
  }

  /** Follows the partitions that are this instance's; called before each reading. */
  synchronized void refresh(MeterRegistry registry) {
    Map<Integer, ReleaseProgress> partitions = counts.partitions();
    ofPartitions
        .entrySet()
        .removeIf(
            entry -> {
              if (partitions.containsKey(entry.getKey())) {
                return false;
              }
              entry.getValue().forEach(registry::remove);
              return true;
            });
    partitions.keySet().forEach(p -> ofPartitions.computeIfAbsent(p, n -> partition(registry, n)));
  }

  private List<Meter> partition(MeterRegistry registry, int partition) {
    long size = plan.pipeline().window().size().toMillis();
    return List.of(
        FunctionCounter.builder(
                "sfumato.windows.closed",
                counts,
                c -> c.partitions().getOrDefault(partition, ReleaseProgress.NONE).windows(size))
            .description("Windows released since the partition came to this instance")
            .tag("partition", Integer.toString(partition))
            .register(registry),
        gauge(
            registry,
            "sfumato.close.lag.seconds",
            "Event time by which releases are behind the foremost source partition; where ticks close"
                + " windows, also behind the wall clock",
            partition,
            progress ->
                progress.lagMillis(plan.pipeline().window(), System.currentTimeMillis()).orElse(0)
                    / 1e3),
        gauge(
            registry,
            "sfumato.released.through.timestamp.seconds",
            "Window end through which every subject is released; 0 before the first. Where a partition"
                + " waits for the next version it stands at the first window of that one",
            partition,
            progress -> progress.released().orElse(0) / 1e3),
        gauge(
            registry,
            "sfumato.held.back.by.source.partition",
            "Source partition that the next window waits for; -1 if none",
            partition,
            ReleaseProgress::heldBackBy));
  }

  private Gauge gauge(
      MeterRegistry registry,
      String name,
      String about,
      int partition,
      ToDoubleFunction<ReleaseProgress> value) {
    return Gauge.builder(
            name,
            counts,
            c -> value.applyAsDouble(c.partitions().getOrDefault(partition, ReleaseProgress.NONE)))
        .description(about)
        .tag("partition", Integer.toString(partition))
        .register(registry);
  }
}
