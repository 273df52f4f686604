// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.kafka.streams.StreamsConfig;

/**
 * One instance at growing numbers of partitions and threads, on a broker: what a record, a release,
 * a closed window and doing nothing cost.
 */
final class ScaleBench {
  private static final int HORIZON = 20;

  private final Arena arena;
  private final Size size;

  ScaleBench(Arena arena, Size size) {
    this.arena = arena;
    this.size = size;
  }

  /**
   * How much work is done at each size.
   *
   * @param events records, at least 1
   * @param subjects that they are of, each of which is released once
   * @param windows empty windows that close, at least 1
   * @param idle time in which nothing comes
   */
  record Size(int events, int subjects, int windows, Duration idle) {}

  /** All work at one size; leaves nothing behind. */
  List<ScaleSample> run(int partitions, int threads) throws RefusedException, InterruptedException {
    String id = arena.newId("scale");
    String topic = id + "-events";
    arena.create(topic, partitions);
    Plan plan = BenchPipeline.histogram(id, topic, Workload.WINDOW_MILLIS, HORIZON);
    PipelineCounts tally = new PipelineCounts();
    Alternative.Prepared prepared =
        PipelineAlternative.prepare(arena, plan, StreamsConfig.EXACTLY_ONCE_V2, tally);
    prepared.settings().put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    String application = plan.pipeline().applicationId();
    try (Lap lap = new Lap(prepared)) {
      lap.start();
      // Each source partition says in all journal partitions that it begins; nothing is measured.
      arena.tick(topic, Workload.BEGIN);
      lap.awaitCommitted(() -> tally.closedThrough(Workload.BEGIN), partitions);
      try (InstanceMeters meters =
          new InstanceMeters(lap, arena, application, BenchPipeline.output(id))) {
        return new Course(lap, tally, meters, topic, partitions, threads).run();
      }
    } finally {
      // The broker would keep hundreds of partitions.
      arena.forget(application, id);
    }
  }

  /** The pieces of work, in their order. */
  private final class Course {
    private final Lap lap;
    private final PipelineCounts tally;
    private final InstanceMeters meters;
    private final String topic;
    private final int partitions;
    private final int threads;
    private final List<ScaleSample> samples = new ArrayList<>();

    /** Window ends that have passed. */
    private int passed;

    Course(
        Lap lap,
        PipelineCounts tally,
        InstanceMeters meters,
        String topic,
        int partitions,
        int threads) {
      this.lap = lap;
      this.tally = tally;
      this.meters = meters;
      this.topic = topic;
      this.partitions = partitions;
      this.threads = threads;
    }

    List<ScaleSample> run() throws RefusedException, InterruptedException {
      measure(
          ScaleSample.Phase.RECORDS,
          () -> {
            arena.append(
                topic, new Workload(size.events(), size.subjects(), Workload.Activity.IN_TURN, 1));
            lap.awaitCounted(size.events());
          });
      measure(
          ScaleSample.Phase.RELEASES,
          () -> {
            pass(1);
            lap.awaitCommitted(tally.released::sum, Math.min(size.events(), size.subjects()));
          });
      measure(
          ScaleSample.Phase.WINDOWS,
          () -> {
            for (int i = 0; i < size.windows(); i++) {
              pass(1);
            }
          });
      measure(ScaleSample.Phase.JUMPS, () -> pass(size.windows()));
      measure(ScaleSample.Phase.IDLE, this::idle);
      return samples;
    }

    /** Ends several windows at once, and waits until all partitions have closed them. */
    private void pass(int windows) throws RefusedException {
      long[] ends =
          LongStream.rangeClosed(passed + 1, passed + windows)
              .map(number -> Workload.BEGIN + number * Workload.WINDOW_MILLIS)
              .toArray();
      passed += windows;
      arena.tick(topic, ends);
      lap.awaitCommitted(() -> tally.closedThrough(ends[windows - 1]), partitions);
    }

    private void idle() {
      long until = System.nanoTime() + size.idle().toNanos();
      for (long left = size.idle().toNanos(); left > 0; left = until - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }

    private void measure(ScaleSample.Phase phase, Work work)
        throws RefusedException, InterruptedException {
      MeterReading before = meters.read();
      long events = tally.observed.sum();
      long releases = tally.released.sum();
      int windows = passed;
      work.run();
      samples.add(
          new ScaleSample(
              partitions,
              threads,
              phase,
              tally.observed.sum() - events,
              tally.released.sum() - releases,
              passed - windows,
              meters.read().since(before)));
    }
  }

  private interface Work {
    void run() throws RefusedException, InterruptedException;
  }
}
