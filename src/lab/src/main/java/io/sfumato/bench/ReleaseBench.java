// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.header.Header;

/** Closes a window of many subjects while records keep coming. */
final class ReleaseBench {
  private static final int EVENTS_EACH = 2;
  private static final int PER_SECOND = 2_000;

  private final Arena arena;
  private final int subjects;
  private final Map<String, List<Double>> gaps = new LinkedHashMap<>();
  private BareScanTopology.Weight weight = new BareScanTopology.Weight(0, 0);

  ReleaseBench(Arena arena, int subjects) {
    this.arena = arena;
    this.subjects = subjects;
  }

  static final String PIPELINE = "pipeline";
  static final String GREEDY = "bare scan";
  static final String IN_TURNS = "bare scan in turns";

  /** Subjects a second, of the pipeline and of bare topologies. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    Map<String, Rounds.Measurement> alternatives = new LinkedHashMap<>();
    alternatives.put(PIPELINE, this::pipeline);
    alternatives.put(GREEDY, () -> bare(GREEDY, BareScanTopology.Manners.GREEDY));
    alternatives.put(IN_TURNS, () -> bare(IN_TURNS, BareScanTopology.Manners.IN_TURNS));
    return rounds.run(alternatives, step);
  }

  /** Longest time between two polls while an alternative released, milliseconds. */
  double longestGap(String alternative) {
    return gaps.get(alternative).stream().max(Comparator.naturalOrder()).orElseThrow();
  }

  private double pipeline() throws RefusedException, InterruptedException {
    String id = arena.newId("release");
    String topic = filled(id);
    try (Lap lap = new Lap(PipelineAlternative.exactlyOnce().prepare(arena, topic, id))) {
      lap.start();
      double perSecond = released(lap, topic, PIPELINE);
      weigh(BenchPipeline.output(id));
      return perSecond;
    }
  }

  private double bare(String name, BareScanTopology.Manners manners)
      throws RefusedException, InterruptedException {
    String id = arena.newId("scan");
    String topic = filled(id);
    String output = id + "-output";
    arena.create(output);
    LongAdder counted = new LongAdder();
    LongAdder released = new LongAdder();
    Alternative.Prepared prepared =
        new Alternative.Prepared(
            BareScanTopology.of(topic, output, weight, manners, counted, released),
            arena.bareStreams(id),
            counted::sum,
            released::sum);
    try (Lap lap = new Lap(prepared)) {
      lap.start();
      return released(lap, topic, name);
    }
  }

  private String filled(String id) throws RefusedException {
    String topic = id + "-events";
    arena.write(
        topic, new Workload(EVENTS_EACH * subjects, subjects, Workload.Activity.IN_TURN, 1));
    return topic;
  }

  private double released(Lap lap, String topic, String alternative)
      throws RefusedException, InterruptedException {
    lap.secondsToCount((long) EVENTS_EACH * subjects);
    long began = System.nanoTime();
    long next = Workload.BEGIN + Workload.WINDOW_MILLIS;
    try (RecordFlow flow = new RecordFlow(arena, topic, PER_SECOND, subjects, () -> next)) {
      flow.start();
      double gap = lap.awaitReleased(subjects);
      gaps.computeIfAbsent(alternative, k -> new ArrayList<>()).add(gap);
      return subjects / ((System.nanoTime() - began) / 1e9);
    }
  }

  /** The bare topology writes records of the same size. */
  private void weigh(String topic) {
    try (Downstream outputs = new Downstream(arena, topic)) {
      while (weight.value() == 0) {
        outputs.poll(
            record -> {
              int header = 0;
              for (Header each : record.headers()) {
                header += each.key().length() + each.value().length;
              }
              weight = new BareScanTopology.Weight(record.value().length, header);
            });
      }
    }
  }
}
