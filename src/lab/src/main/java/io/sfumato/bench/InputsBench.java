// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.RegistryFrame;
import io.sfumato.serde.SchemaSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A day of users' records, counted, from the first event to the last release: in JSON, in the
 * formats of a registry, with a filter, with ids of events, and by a local day. All have the same
 * events.
 */
final class InputsBench {
  static final String JSON = "json";
  static final String JSON_SCHEMA = "json-schema";
  static final String PROTOBUF = "protobuf";
  static final String FILTERED = "json, a filter drops half";
  static final String IDENTIFIED = "json, ids of events";
  static final String LOCAL = "json, local days";

  /** Figures: each of these over plain JSON. */
  static final Map<String, String> FIGURES = figures();

  private static final int USERS = 20_000;
  private static final int WARDS = 10;
  private static final int PER_WINDOW = 20;
  private static final int SCHEMA = 7;
  private static final ProtobufEvents MESSAGES =
      new ProtobufEvents(List.of("user", "ward", "at", "category", "event", "half"));

  private final Arena arena;
  private final int events;

  /**
   * @param events of the day
   */
  InputsBench(Arena arena, int events) {
    this.arena = arena;
    this.events = events;
  }

  private static Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put(JSON_SCHEMA, "json_schema_over_json");
    figures.put(PROTOBUF, "protobuf_over_json");
    figures.put(FILTERED, "filter_of_half_over_all");
    figures.put(IDENTIFIED, "ids_over_none");
    figures.put(LOCAL, "local_days_over_utc");
    return figures;
  }

  /** How an event is written. */
  private interface Writer {
    byte[] write(Event event);
  }

  /** An event; half is 0 or 1. */
  private record Event(String user, String ward, String category, String id, int half) {
    byte[] json() {
      return String.format(
              Locale.ROOT,
              "{\"user\":\"%s\",\"ward\":\"%s\",\"at\":%d,\"category\":\"%s\",\"event\":\"%s\",\"half\":\"%d\"}",
              user,
              ward,
              Workload.BEGIN,
              category,
              id,
              half)
          .getBytes(StandardCharsets.US_ASCII);
    }

    byte[] protobuf() {
      return MESSAGES.event(user, ward, Workload.BEGIN, category, id, Integer.toString(half));
    }
  }

  /** Events a second, by how they come. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    String json = written(Event::json);
    String framed = written(event -> RegistryFrame.of(SCHEMA, event.json()));
    String messages = written(Event::protobuf);
    Map<String, Rounds.Measurement> kinds = new LinkedHashMap<>();
    kinds.put(JSON, () -> perSecond(json, "", ""));
    kinds.put(JSON_SCHEMA, () -> perSecond(framed, ", format: json-schema", ""));
    kinds.put(PROTOBUF, () -> perSecond(messages, ", format: protobuf", ""));
    kinds.put(FILTERED, () -> perSecond(json, ", where: { half: \"0\" }", ""));
    kinds.put(IDENTIFIED, () -> perSecond(json, ", id: event", ""));
    kinds.put(LOCAL, () -> perSecond(json, "", ", zone: Europe/Berlin"));
    return rounds.run(kinds, step);
  }

  /** A new topic with a day between two ticks. */
  private String written(Writer writer) throws RefusedException {
    String topic = arena.newId("inputs-events");
    arena.create(topic);
    arena.tick(topic, Workload.BEGIN);
    SplittableRandom random = new SplittableRandom(7);
    try (KafkaProducer<byte[], byte[]> producer = arena.producer()) {
      for (int i = 0; i < events; i++) {
        Event event =
            new Event(
                Workload.subject(random.nextInt(USERS)),
                "w" + random.nextInt(WARDS),
                Workload.name(random.nextInt(Workload.CATEGORIES)),
                Long.toHexString(random.nextLong()),
                random.nextInt(2));
        producer.send(
            new ProducerRecord<>(
                topic, event.user().getBytes(StandardCharsets.US_ASCII), writer.write(event)));
      }
    }
    arena.tick(topic, Workload.BEGIN + Duration.ofDays(1).toMillis());
    return topic;
  }

  private double perSecond(String topic, String input, String window)
      throws RefusedException, InterruptedException {
    String id = arena.newId("inputs");
    Plan plan = plan(id, topic, input, window);
    SchemaSource schemas = MESSAGES.schemas();
    try (Lap lap = new Lap(PipelineAlternative.prepare(arena, plan, schemas))) {
      lap.start();
      return events / lap.secondsToRelease(WARDS);
    }
  }

  private static Plan plan(String name, String topic, String input, String window) {
    return BenchPipeline.plan(
        """
        pipeline: %1$s
        version: 1
        input: { topic: %2$s, subject: ward, user: user, time: at, category: category, categories: [%3$s]%4$s }
        contributions: { per-window: %5$d, subjects: %5$d }
        subjects: [%6$s]
        window: { size: 1d, clock: ticks, begin: 2026-01-01, ticks: trusted%7$s }
        budget: { name: %1$s, unit: user, epsilon: 4, delta: 1e-6, period: window }
        releases:
          - count: { by: category, name: %1$s-out, share: { epsilon: 4, delta: 1e-6 } }
        """
            .formatted(
                name,
                topic,
                BenchPipeline.categories(),
                input,
                PER_WINDOW,
                IntStream.range(0, WARDS).mapToObj(i -> "w" + i).collect(Collectors.joining(", ")),
                window));
  }
}
