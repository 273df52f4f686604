// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.RefusedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs alternatives through one workload. */
final class IngestBench {
  private final Arena arena;
  private final Workload workload;
  private final List<? extends Alternative> alternatives;

  IngestBench(Arena arena, Workload workload, List<? extends Alternative> alternatives) {
    this.arena = arena;
    this.workload = workload;
    this.alternatives = alternatives;
  }

  /** Events a second, by alternative. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    String topic = arena.provide(workload);
    Map<String, Rounds.Measurement> measurements = new LinkedHashMap<>();
    for (Alternative alternative : alternatives) {
      measurements.put(alternative.name(), () -> perSecond(alternative, topic));
    }
    return rounds.run(measurements, step);
  }

  private double perSecond(Alternative alternative, String topic)
      throws RefusedException, InterruptedException {
    try (Lap lap = new Lap(alternative.prepare(arena, topic, arena.newId("ingest")))) {
      lap.start();
      return workload.events() / lap.secondsToCount(workload.events());
    }
  }
}
