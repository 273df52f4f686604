// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.release.Plan;
import io.sfumato.release.abc.PlannedAbc;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.serde.Outputs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.StreamsConfig;

/** Queries of a modeller: 1,000 candidates each, m = 100 features of two numbers. */
final class QueryBench {
  private static final int QUERIES = 20;
  private static final int RECORDS = 40;

  private final Arena arena;

  /** Of each query. */
  private final int candidates;

  QueryBench(Arena arena, Bench.Extent extent) {
    this.arena = arena;
    this.candidates = extent.repeats(1_000);
  }

  /** Candidates a second. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    return rounds.run(Map.of("candidates", this::perSecond), step);
  }

  private double perSecond() throws RefusedException, InterruptedException {
    String id = arena.newId("query");
    String topic = id + "-events";
    Plan plan = BenchPipeline.queries(id, topic);
    arena.create(topic);
    try (KafkaProducer<byte[], byte[]> producer = arena.producer();
        Lap lap =
            new Lap(
                new PipelineAlternative(
                        "queries", StreamsConfig.EXACTLY_ONCE_V2, (name, from) -> plan)
                    .prepare(arena, topic, id))) {
      lap.start();
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < QUERIES * RECORDS; i++) {
        send(
            producer,
            topic,
            Workload.numbers(Workload.subject(i % QUERIES), Workload.BEGIN, random));
      }
      // One more of each moves every partition's clock past the window.
      for (int i = 0; i < QUERIES; i++) {
        long next = Workload.BEGIN + Workload.WINDOW_MILLIS;
        send(producer, topic, Workload.numbers(Workload.subject(i), next, random));
      }
      producer.flush();
      lap.awaitCounted((long) QUERIES * (RECORDS + 1));
      List<byte[]> all = all(plan);
      long began = System.nanoTime();
      for (byte[] candidate : all) {
        producer.send(new ProducerRecord<>(plan.pipeline().candidatesTopic(), null, candidate));
      }
      producer.flush();
      lap.awaitReleased(all.size());
      return all.size() / ((System.nanoTime() - began) / 1e9);
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, Workload.Event event) {
    producer.send(new ProducerRecord<>(topic, event.key(), event.value()));
  }

  private List<byte[]> all(Plan plan) {
    RandomFeatures features = plan.pipeline().features().orElseThrow().features(2);
    SplittableRandom random = new SplittableRandom(4);
    List<byte[]> all = new ArrayList<>();
    for (int query = 0; query < QUERIES; query++) {
      for (int i = 0; i < candidates; i++) {
        double[][] pseudo = {{random.nextDouble(), random.nextDouble()}};
        List<Double> mean = new ArrayList<>();
        for (double feature : features.mean(pseudo)) {
          mean.add(feature);
        }
        all.add(
            Outputs.encode(
                AbcCandidate.newBuilder()
                    .setOutput(plan.all(PlannedAbc.class).get(0).spec().name())
                    .setQueryId("q")
                    .setCandidate(i)
                    .setCandidates(candidates)
                    .setSubject(Workload.subject(query))
                    .setWindowStart(Instant.ofEpochMilli(Workload.BEGIN))
                    .setMean(mean)
                    .build()));
      }
    }
    return all;
  }
}
