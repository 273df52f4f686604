// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.ops.RunningCounts;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.PipelineStart;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Synthetic data from candidates that came with numbers and with counts. */
@ExtendWith(SharedBroker.class)
class SynthesizeIT {
  private static final String YAML =
      """
      pipeline: rides
      input: { topic: rides-in, subject: who, time: at, category: what, categories: [walk, run], values: [speed] }
      window: { size: 10s }
      budget: { name: rides, unit: record, epsilon: 4, delta: 1e-5, period: window }
      releases:
        - abc:
            name: fit
            method: soft
            distance: summaries
            summaries: [{ mean: speed, scale: 1 }, { share: run, scale: 0.1 }]
            clip: 4
            threshold: 2
            share: { epsilon: 4, delta: 1e-6 }
            queries: 1
            candidates: 2
      """;
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  @TempDir Path folder;

  @Test
  void shouldSayThatNumbersAreLeftOut(TestCluster cluster) throws Exception {
    Path file = Files.writeString(folder.resolve("rides.yaml"), YAML);
    cluster.createTopic("rides-in", 1);
    try (PipelineRun run = start(cluster, file);
        KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int second : new int[] {1, 2, 3, 12}) {
        send(
            producer,
            "rides-in",
            "{\"who\":\"ann\",\"at\":\"%s\",\"what\":\"run\",\"speed\":%d}"
                .formatted(START.plusSeconds(second), second));
      }
      for (int candidate = 0; candidate < 2; candidate++) {
        send(
            producer,
            "rides-candidates",
            """
              {"output":"fit","query_id":"q","candidate":%d,"candidates":2,"subject":"ann","window_start":"%s",
              "parameters":[%d],"values":[[1.5],[2.5]],"counts":[1,1]}"""
                .formatted(candidate, START, candidate));
      }
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> run.failure().isPresent() || cluster.committed("fit").size() == 2);
      assertThat(run.failure()).isEmpty();
    }
    Path csv = folder.resolve("rides.csv");
    assertThat(synthesize(cluster, file, csv, "text"))
        .contains("2 synthetic datasets of 2 answers")
        .containsPattern("(?m)^note: numbers are left out: speed, because .*$");
    JsonNode json = new ObjectMapper().readTree(synthesize(cluster, file, csv, "json"));
    assertThat(json.path("left_out")).extracting(JsonNode::asText).containsExactly("speed");
    assertThat(Files.readAllLines(csv))
        .containsExactly("dataset,what", "1,walk", "1,run", "2,walk", "2,run");
  }

  private static String synthesize(TestCluster cluster, Path file, Path csv, String output) {
    CommandResult result =
        CommandResult.of(
            "synthesize",
            file.toString(),
            "--query",
            "q",
            "--subject",
            "ann",
            "--datasets",
            "2",
            "--out",
            csv.toString(),
            "-o",
            output,
            "--bootstrap-servers",
            cluster.servers());
    assertThat(result.code()).as(result.text()).isZero();
    return result.out();
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String topic, String json)
      throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                topic,
                "ann".getBytes(StandardCharsets.UTF_8),
                json.getBytes(StandardCharsets.UTF_8)))
        .get();
  }

  private PipelineRun start(TestCluster cluster, Path file) throws Exception {
    Plan plan = Plan.of(file.toString(), PipelineFile.read(file));
    return PipelineStart.of(cluster, plan, 1, new RunningCounts(), folder.resolve("state"));
  }
}
