package io.sfumato.bench;

import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import org.apache.kafka.common.header.Header;

/** Closes a window of many subjects while records keep coming. */
final class ReleaseBench {
  private static final int EVENTS_EACH = 2;
  private static final int PER_SECOND = 2_000;

  private final Arena arena;
  private final int subjects;
  private final List<Double> gaps = new ArrayList<>();
  private BareScanTopology.Weight weight = new BareScanTopology.Weight(0, 0);

  ReleaseBench(Arena arena, int subjects) {
    this.arena = arena;
    this.subjects = subjects;
  }

  /** Subjects a second, of the pipeline and of a bare topology. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    Map<String, Rounds.Measurement> alternatives = new LinkedHashMap<>();
    alternatives.put("pipeline", this::pipeline);
    alternatives.put("bare scan", this::bare);
    return rounds.run(alternatives, step);
  }

  /** Longest times between two polls while the pipeline released, milliseconds. */
  List<Double> gaps() {
    return List.copyOf(gaps);
  }

  private double pipeline() throws RefusedException, InterruptedException {
    String id = arena.newId("release");
    String topic = filled(id);
    try (Lap lap = new Lap(PipelineAlternative.exactlyOnce().prepare(arena, topic, id))) {
      lap.start();
      double perSecond = released(lap, topic, gaps::add);
      weigh(BenchPipeline.output(id));
      return perSecond;
    }
  }

  private double bare() throws RefusedException, InterruptedException {
    String id = arena.newId("scan");
    String topic = filled(id);
    String output = id + "-output";
    arena.create(output);
    LongAdder counted = new LongAdder();
    LongAdder released = new LongAdder();
    Alternative.Prepared prepared =
        new Alternative.Prepared(
            BareScanTopology.of(topic, output, weight, counted, released),
            arena.bareStreams(id),
            counted::sum,
            released::sum);
    try (Lap lap = new Lap(prepared)) {
      lap.start();
      return released(lap, topic, gap -> {});
    }
  }

  private String filled(String id) throws RefusedException {
    String topic = id + "-events";
    arena.write(
        topic, new Workload(EVENTS_EACH * subjects, subjects, Workload.Activity.IN_TURN, 1));
    return topic;
  }

  private double released(Lap lap, String topic, DoubleConsumer gap)
      throws RefusedException, InterruptedException {
    lap.secondsToCount((long) EVENTS_EACH * subjects);
    long began = System.nanoTime();
    long next = Workload.BEGIN + Workload.WINDOW_MILLIS;
    try (Flow flow = new Flow(arena, topic, PER_SECOND, subjects, () -> next)) {
      flow.start();
      gap.accept(lap.awaitReleased(subjects));
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
