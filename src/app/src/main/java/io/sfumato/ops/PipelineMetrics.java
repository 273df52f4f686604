// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

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
    Tags tags =
        Tags.of(
            "pipeline", plan.pipeline().name(),
            "version", Integer.toString(plan.pipeline().version()),
            "budget", plan.pipeline().budget().name(),
            "noise_key", noiseKeyTag);
    Metric.PIPELINE_INFO.gauge(registry, tags, plan, p -> 1);
  }

  private void window(MeterRegistry registry) {
    Metric.WINDOW_SIZE.gauge(
        registry, Tags.empty(), plan, p -> p.pipeline().window().grid().longest().toMillis() / 1e3);
    if (plan.pipeline().window().clock() == WindowSpec.Clock.TICKS) {
      Metric.TICK_AGE.gauge(registry, Tags.empty(), age, a -> a.millis().orElse(0) / 1e3);
      Metric.TICK_AGE_LIMIT.gauge(
          registry, Tags.empty(), plan, p -> TickAge.limit(p.pipeline().window()).toMillis() / 1e3);
      Metric.CLOCK_AHEAD.gauge(
          registry, Tags.empty(), counts, c -> c.ticks().own().ahead().toMillis() / 1e3);
    }
  }

  private void records(MeterRegistry registry) {
    counter(registry, Metric.RECORDS, Tags.of("outcome", "accepted"), c -> c.acceptedRecords());
    counter(registry, Metric.RECORDS, Tags.of("outcome", "unselected"), c -> c.unselectedRecords());
    for (RejectionCode code : RejectionCode.values()) {
      counter(
          registry,
          Metric.RECORDS,
          Tags.of("outcome", code.name().toLowerCase(Locale.ROOT)),
          c -> c.rejections().getOrDefault(code, 0L));
    }
    counter(registry, Metric.TICKS, Tags.of("outcome", "taken"), c -> c.ticks().takenTicks());
    counter(
        registry, Metric.TICKS, Tags.of("outcome", "other_budget"), c -> c.ticks().ticksOfOthers());
    counter(
        registry,
        Metric.TICKS,
        Tags.of("outcome", "time_out_of_range"),
        c -> c.refusedTicks().getOrDefault(RejectionCode.TIME_OUT_OF_RANGE, 0L));
    counter(registry, Metric.RECORDS_UNENROLLED, Tags.empty(), c -> c.notEnrolledRecords());
  }

  private void outputs(MeterRegistry registry, PlannedRelease release) {
    String output = release.spec().name();
    Tags tags = Tags.of("output", output);
    counter(registry, Metric.RELEASES, tags, c -> c.releasesByOutput().getOrDefault(output, 0L));
    for (RefusalCode code : RefusalCode.values()) {
      counter(
          registry,
          Metric.REFUSALS,
          tags.and("code", code.name().toLowerCase(Locale.ROOT)),
          c -> c.refusalsByReason().getOrDefault(new Refused(output, code.name()), 0L));
    }
    counter(registry, Metric.SILENCES, tags, c -> c.silences().getOrDefault(output, 0L));
    Charged charged = new Charged(release.share().name(), release.charge().mechanism());
    counter(
        registry,
        Metric.CHARGES,
        Tags.of("share", charged.share(), "mechanism", charged.mechanism(), "output", output),
        c -> c.charges().getOrDefault(charged, 0L));
    if (release.spec().answersQueries()) {
      counter(
          registry, Metric.QUERY_CANDIDATES, tags, c -> c.candidates().getOrDefault(output, 0L));
    }
    if (release.fitsLaws()) {
      counter(
          registry,
          Metric.LEARNER_FAILURES,
          tags,
          c -> c.learnerFailures().getOrDefault(output, 0L));
    }
  }

  /** Not where it would never have a value: users have no public ledger, and spans overlap. */
  private void budget(MeterRegistry registry, PlannedRelease release) {
    if (plan.pipeline().population().isPresent() || plan.pipeline().calendar().isPresent()) {
      return;
    }
    String share = release.share().name();
    for (double part : PARTS) {
      Metric.BUDGET_SPENT.gauge(
          registry,
          Tags.of("share", share, "at_least", Double.toString(part)),
          counts,
          c -> BudgetView.of(c.spent().get(share)).atLeast(part));
    }
    Metric.BUDGET_LEFT.gauge(
        registry,
        Tags.of("share", share),
        counts,
        c -> BudgetView.of(c.spent().get(share)).left(release));
  }

  private void counter(
      MeterRegistry registry, Metric metric, Tags tags, ToDoubleFunction<RunningCounts> value) {
    metric.counter(registry, tags, counts, value);
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
    return List.of(
        Metric.WINDOWS_CLOSED.counter(
            registry,
            tag(partition),
            counts,
            c -> progress(c, partition).windows(plan.pipeline().window().grid())),
        gauge(
            registry,
            Metric.CLOSE_LAG,
            partition,
            progress ->
                progress.lagMillis(plan.pipeline().window(), System.currentTimeMillis()).orElse(0)
                    / 1e3),
        gauge(
            registry,
            Metric.RELEASED_THROUGH,
            partition,
            progress -> progress.released().orElse(0) / 1e3),
        gauge(registry, Metric.HELD_BACK, partition, ReleaseProgress::heldBackBy));
  }

  private Gauge gauge(
      MeterRegistry registry,
      Metric metric,
      int partition,
      ToDoubleFunction<ReleaseProgress> value) {
    return metric.gauge(
        registry, tag(partition), counts, c -> value.applyAsDouble(progress(c, partition)));
  }

  private static Tags tag(int partition) {
    return Tags.of("partition", Integer.toString(partition));
  }

  private static ReleaseProgress progress(RunningCounts counts, int partition) {
    return counts.partitions().getOrDefault(partition, ReleaseProgress.NONE);
  }
}
