// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.StreamsConfig;

/**
 * A population's window from its first event to its last release: numbers beside a count. All read
 * the same topic.
 */
final class NumbersBench {
  static final String COUNT = "count";
  static final String MEAN = "mean of degree 2";
  static final String QUANTILE = "quantile";

  private static final int USERS = 20_000;
  private static final int WARDS = 10;
  private static final int PER_WINDOW = 20;

  private final Arena arena;
  private final int events;

  /**
   * @param events of the window
   */
  NumbersBench(Arena arena, int events) {
    this.arena = arena;
    this.events = events;
  }

  /** Events a second, by what is released. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    String topic = arena.newId("numbers-events");
    arena.create(topic);
    write(topic);
    Map<String, Rounds.Measurement> kinds = new LinkedHashMap<>();
    kinds.put(COUNT, () -> perSecond(topic, "", "count: { by: category, "));
    kinds.put(
        MEAN,
        () ->
            perSecond(
                topic,
                ", values: [x]",
                "mean: { value: x, bounds: [0, 100], by: total, moments: 2, "));
    kinds.put(
        QUANTILE,
        () -> perSecond(topic, ", values: [x]", "quantile: { value: x, bounds: [0, 100], "));
    return rounds.run(kinds, step);
  }

  /** A window between two ticks. */
  private void write(String topic) throws RefusedException {
    arena.tick(topic, Workload.BEGIN);
    SplittableRandom random = new SplittableRandom(7);
    try (KafkaProducer<byte[], byte[]> producer = arena.producer()) {
      for (int i = 0; i < events; i++) {
        String user = Workload.subject(random.nextInt(USERS));
        String value =
            String.format(
                Locale.ROOT,
                "{\"user\":\"%s\",\"ward\":\"w%d\",\"at\":%d,\"category\":\"%s\",\"x\":%.2f}",
                user,
                random.nextInt(WARDS),
                Workload.BEGIN,
                Workload.name(random.nextInt(Workload.CATEGORIES)),
                100 * random.nextDouble() * random.nextDouble());
        producer.send(
            new ProducerRecord<>(
                topic,
                user.getBytes(StandardCharsets.US_ASCII),
                value.getBytes(StandardCharsets.US_ASCII)));
      }
    }
    arena.tick(topic, Workload.BEGIN + Workload.WINDOW_MILLIS);
  }

  private double perSecond(String topic, String values, String release)
      throws RefusedException, InterruptedException {
    String id = arena.newId("numbers");
    Plan plan = plan(id, topic, values, release);
    try (Lap lap =
        new Lap(
            new PipelineAlternative("numbers", StreamsConfig.EXACTLY_ONCE_V2, (name, from) -> plan)
                .prepare(arena, topic, id))) {
      lap.start();
      return events / lap.secondsToRelease(WARDS);
    }
  }

  private static Plan plan(String name, String topic, String values, String release) {
    return BenchPipeline.plan(
        """
        pipeline: %1$s
        version: 1
        input: { topic: %2$s, subject: ward, user: user, time: at, category: category, categories: [%3$s]%4$s }
        contributions: { per-window: %5$d, subjects: %5$d }
        subjects: [%6$s]
        window: { size: %7$ds, clock: ticks, begin: %8$s, ticks: trusted }
        budget: { name: %1$s, unit: user, epsilon: 4, delta: 1e-6, period: window }
        releases:
          - %9$s name: %1$s-out, share: { epsilon: 4, delta: 1e-6 } }
        """
            .formatted(
                name,
                topic,
                BenchPipeline.categories(),
                values,
                PER_WINDOW,
                IntStream.range(0, WARDS).mapToObj(i -> "w" + i).collect(Collectors.joining(", ")),
                Workload.WINDOW_MILLIS / 1000,
                WindowSpec.beginText(Workload.BEGIN),
                release));
  }
}
