// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.release.Plan;
import io.sfumato.topology.dataset.Contents;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How long one core of this machine takes to draw the outputs of one subject's window. Measured on
 * a window without records; nothing is published.
 *
 * @param subject time of one subject's outputs, without those that go by other outputs
 * @param subjects that the file lists; 0 if it lists none
 * @param window length of a window
 */
public record WindowTime(Duration subject, int subjects, Duration window) {
  private static final Duration WORTH_SAYING = Duration.ofSeconds(1);

  /** Each output is drawn until this time is over: the first draws of a process are slow. */
  private static final Duration MEASURED = Duration.ofMillis(200);

  private static final int MOST_DRAWS = 20;

  /**
   * Of a plan.
   *
   * @param gate of any key, since nothing is published
   */
  public static WindowTime of(Plan plan, Gate gate) {
    return of(plan, gate, System::nanoTime);
  }

  static WindowTime of(Plan plan, Gate gate, LongSupplier nanos) {
    Pipeline pipeline = plan.pipeline();
    Contents empty = new Contents.Layout(pipeline).empty();
    long all = 0;
    for (PlannedRelease release : plan.releases()) {
      Optional<ReleaseSampler> sampler = release.sampler(pipeline.partOf(release.spec()));
      if (sampler.isPresent() && sampler.get().reads().isEmpty()) {
        all +=
            fastest(
                () ->
                    draw(
                        pipeline,
                        release,
                        sampler.get(),
                        empty.of(pipeline.questionOf(release.spec())),
                        gate),
                nanos);
      }
    }
    return new WindowTime(
        Duration.ofNanos(all), pipeline.listed().size(), pipeline.window().grid().longest());
  }

  private static long fastest(Runnable draw, LongSupplier nanos) {
    long began = nanos.getAsLong();
    long fastest = Long.MAX_VALUE;
    long now = began;
    for (int i = 0; i < MOST_DRAWS && now - began < MEASURED.toNanos(); i++) {
      long before = now;
      draw.run();
      now = nanos.getAsLong();
      fastest = Math.min(fastest, now - before);
    }
    return fastest;
  }

  private static void draw(
      Pipeline pipeline, PlannedRelease release, ReleaseSampler sampler, Contents data, Gate gate) {
    long start = pipeline.window().begin().orElse(0);
    ReleaseSampler.Prepared draws = sampler.prepare(start, Secret.of(data), Memory.NONE);
    for (int index = 0; index < sampler.draws(); index++) {
      ReleaseId id =
          new ReleaseId(
              pipeline.budget().name(),
              new StateEpoch(0, 0),
              pipeline.version(),
              release.spec().name(),
              "",
              start,
              index);
      OutputLabel label =
          new OutputLabel(id, pipeline.partOf(release.spec()), release.spec().name(), null, null);
      Permit permit = Permit.ofMadeUpData(id, release.plan().mechanism());
      draws.draw(label, gate, permit).parts().forEach(part -> part.on(label));
    }
  }

  /** Of all subjects that the file lists. */
  Duration ofWindow() {
    return subject.multipliedBy(subjects);
  }

  /** One line, where a window takes a second or more. */
  public Optional<String> text() {
    if (subjects == 0) {
      return subject.multipliedBy(10).compareTo(WORTH_SAYING) < 0
          ? Optional.empty()
          : Optional.of(
              "drawing a window takes about %s per subject on one core of this machine"
                  .formatted(seconds(subject)));
    }
    if (ofWindow().compareTo(WORTH_SAYING) < 0) {
      return Optional.empty();
    }
    return Optional.of(
        "drawing a window takes about %s on one core of this machine (%,d subjects, %s each)%s"
            .formatted(
                seconds(ofWindow()),
                subjects,
                seconds(subject),
                ofWindow().compareTo(window) < 0
                    ? ""
                    : "; that is longer than a window: use more partitions and cores, longer windows, or"
                        + " fewer cells"));
  }

  private static String seconds(Duration time) {
    double seconds = time.toNanos() / 1e9;
    return seconds >= 120
        ? String.format(Locale.ROOT, "%,.0f min", seconds / 60)
        : String.format(Locale.ROOT, seconds < 10 ? "%.2g s" : "%.0f s", seconds);
  }
}
