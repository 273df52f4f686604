// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.bench.BenchPipeline.Items;
import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Private items of a window's subjects: of a finite domain, of boosted densities, and by
 * projection.
 */
final class ItemBench {
  private static final int RECORDS = 40;

  private final Arena arena;
  private final int subjects;

  /**
   * @param subjects of items from a finite domain; those with numbers are a tenth
   */
  ItemBench(Arena arena, int subjects) {
    this.arena = arena;
    this.subjects = subjects;
  }

  /** Items a second, two a subject. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    Map<String, Rounds.Measurement> kinds = new LinkedHashMap<>();
    kinds.put("finite", () -> perSecond(Items.FINITE, subjects));
    kinds.put("continuous", () -> perSecond(Items.CONTINUOUS, subjects / 10));
    kinds.put("projection", () -> perSecond(Items.PROJECTION, subjects / 10));
    return rounds.run(kinds, step);
  }

  private double perSecond(Items kind, int subjects) throws RefusedException, InterruptedException {
    String id = arena.newId("items");
    String topic = id + "-events";
    Plan plan = BenchPipeline.items(id, topic, kind);
    arena.create(topic);
    try (KafkaProducer<byte[], byte[]> producer = arena.producer();
        Lap lap =
            new Lap(
                new PipelineAlternative(
                        "items", StreamsConfig.EXACTLY_ONCE_V2, (name, from) -> plan)
                    .prepare(arena, topic, id))) {
      lap.start();
      for (int i = 0; i < subjects; i++) {
        producer.send(new ProducerRecord<>(plan.pipeline().controlTopic(), null, enrol(i)));
      }
      producer.flush();
      // A command, and its entry in the journal.
      lap.awaitProcessed(2L * subjects);
      arena.tick(topic, Workload.BEGIN);
      SplittableRandom random = new SplittableRandom(5);
      for (int i = 0; i < subjects * RECORDS; i++) {
        Workload.Event event =
            Workload.numbers(Workload.subject(i % subjects), Workload.BEGIN, random);
        producer.send(new ProducerRecord<>(topic, event.key(), event.value()));
      }
      producer.flush();
      lap.awaitCounted((long) subjects * RECORDS);
      long began = System.nanoTime();
      arena.tick(topic, Workload.BEGIN + Workload.WINDOW_MILLIS);
      long released = 2L * subjects;
      lap.awaitReleased(released);
      return released / ((System.nanoTime() - began) / 1e9);
    }
  }

  private static byte[] enrol(int user) {
    return Outputs.encode(
        ControlEntry.newBuilder()
            .setCommand(ControlCommand.ENROL)
            .setSubject(Workload.subject(user))
            .setFrom(Instant.ofEpochMilli(Workload.BEGIN))
            .build());
  }
}
