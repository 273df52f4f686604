// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.Outputs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.StreamsConfig;

/**
 * From the end of a window and its grace, on the wall clock, to the arrival of each release at a
 * consumer that reads committed records, while 5,000 events a second come in.
 */
final class LatencyBench {
  static final int PER_SECOND = 5_000;

  private static final long WINDOW_MILLIS = 1_000;
  private static final int SUBJECTS = 1_000;

  /** By then there is a release, or there will be none. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Arena arena;

  /** Windows in which the program warms up. */
  private final int warmUp;

  LatencyBench(Arena arena, Bench.Extent extent) {
    this.arena = arena;
    this.warmUp = extent.repeats(10);
  }

  /**
   * @param windows that are watched, each a second
   * @return 50th, 99th and 100th percentile, milliseconds
   */
  double[] run(int windows) throws RefusedException, InterruptedException {
    String topic = arena.newId("latency-events");
    String id = arena.newId("latency");
    arena.create(topic);
    // A slow machine is further on in time when the last window is released.
    int horizon = windows + warmUp + 100;
    PipelineAlternative pipeline =
        new PipelineAlternative(
            "pipeline",
            StreamsConfig.EXACTLY_ONCE_V2,
            (name, from) -> BenchPipeline.histogram(name, from, WINDOW_MILLIS, horizon));
    List<Double> millis = new ArrayList<>();
    try (Lap lap = new Lap(pipeline.prepare(arena, topic, id));
        Downstream outputs = new Downstream(arena, BenchPipeline.output(id));
        RecordFlow flow =
            new RecordFlow(arena, topic, PER_SECOND, SUBJECTS, System::currentTimeMillis)) {
      lap.start();
      flow.start();
      long end =
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos((windows + warmUp) * WINDOW_MILLIS);
      long warm = System.currentTimeMillis() + warmUp * WINDOW_MILLIS;
      long latest = end + PATIENCE.toNanos();
      while (System.nanoTime() < end || millis.isEmpty() && System.nanoTime() < latest) {
        outputs.poll(
            record -> {
              long windowEnd = windowEnd(record.value());
              if (windowEnd > warm) {
                millis.add((double) (System.currentTimeMillis() - windowEnd));
              }
            });
      }
    }
    if (millis.isEmpty()) {
      throw new RefusedException(
          ExitCode.FAILED, "no window was released in time; this machine has too much to do");
    }
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new double[] {at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1)};
  }

  private static long windowEnd(byte[] release) {
    return Outputs.decodeRelease(release).getWindowEnd().toEpochMilli();
  }

  private static double at(double[] sorted, double quantile) {
    return sorted[(int) Math.ceil(quantile * sorted.length) - 1];
  }
}
