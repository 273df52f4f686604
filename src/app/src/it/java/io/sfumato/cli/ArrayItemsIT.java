// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.ops.RunningCounts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.PipelineStart;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Orders of several products: a file is drafted from them, and another counts each product. Its
 * share is so large that the noise is 0 but for a chance below 1e-200.
 */
@ExtendWith(SharedBroker.class)
class ArrayItemsIT {
  private static final String YAML =
      """
      pipeline: shops
      input: { topic: orders, subject: shop, user: who, time: at, category: "lines[].product", categories: [tea, rum, milk] }
      contributions: { per-window: 8 }
      subjects: [east, west]
      window: { size: 1d, clock: ticks, begin: 2026-01-05 }
      budget: { name: shops, unit: user, epsilon: 900000, delta: 1e-6, period: window }
      releases:
        - count: { name: sold, share: { epsilon: 900000, delta: 1e-6 } }
      """;
  private static final int PARTITIONS = 2;
  private static final int USERS = 60;

  @TempDir static Path folder;

  private static TestCluster cluster;

  @BeforeAll
  static void startBroker(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("orders", PARTITIONS);
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int user = 0; user < USERS; user++) {
        for (int order = 0; order < 3; order++) {
          producer.send(new ProducerRecord<>("orders", order(user, order)));
        }
      }
    }
  }

  /** Three products each, of which one is in no list: six of a user count. */
  private static byte[] order(int user, int order) {
    return "{\"who\":\"u%d\",\"shop\":\"%s\",\"at\":\"2026-01-05T0%d:00:00Z\",\"lines\":[{\"product\":\"tea\"},{\"product\":\"kale\"},{\"product\":\"%s\"}]}"
        .formatted(user, user % 2 == 0 ? "east" : "west", order, order == 0 ? "milk" : "rum")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String sfumato(String... arguments) {
    CommandResult result =
        CommandResult.of(
            Stream.concat(Stream.of(arguments), Stream.of("--bootstrap-servers", cluster.servers()))
                .toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void shouldDraftAFileThatCountsEachItem() throws Exception {
    Path file = folder.resolve("draft.yaml");
    String out =
        sfumato(
            "new", file.toString(), "--from-topic", "orders", "--user", "who", "--window", "1d");
    Pipeline pipeline = PipelineFile.read(file);
    assertThat(pipeline.input().category()).contains("lines[].product");
    assertThat(pipeline.input().discovers()).as("of what records hold nothing is told").isTrue();
    assertThat(pipeline.listed()).isEmpty();
    assertThat(out)
        .contains("category: field product within each item of lines, at most 100 of a record")
        .doesNotContain("WARNING", "kale", "east");
  }

  /** Sixty users at each shop have these; the chance that noise hides one is below 1e-9. */
  @Test
  void shouldFindEachItemForAPrice() throws Exception {
    Path file = folder.resolve("paid.yaml");
    String out =
        sfumato(
            "new",
            file.toString(),
            "--from-topic",
            "orders",
            "--user",
            "who",
            "--list-epsilon",
            "20");
    assertThat(out).contains("Spent on the lists", "receipt paid.receipt.json");
    Pipeline pipeline = PipelineFile.read(file);
    assertThat(pipeline.input().categories()).contains("tea", "kale", "rum", "milk");
    assertThat(pipeline.listed()).containsExactlyInAnyOrder("east", "west");
  }

  @Test
  void shouldCountEachItemOfEveryRecordOnce() throws Exception {
    Path file = Files.writeString(folder.resolve("shops.yaml"), YAML);
    Path secret = folder.resolve("noise.key");
    NoiseSecret.parse(TestCluster.KEY).write(secret);
    try (PipelineRun run = start(file)) {
      // Closes the window of the newest record, which it reads as the pipeline does.
      assertThat(sfumato("tick", file.toString(), "--secret-file", secret.toString()))
          .contains("2026-01-06T00:00:00Z");
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> run.failure().isPresent() || released().size() == 2);
      assertThat(run.failure()).isEmpty();
      long users = USERS / 2;
      List<Long> counts = List.of(3 * users, 2 * users, users);
      assertThat(released()).isEqualTo(Map.of("east", counts, "west", counts));
    }
  }

  private static PipelineRun start(Path file) throws Exception {
    Plan plan = Plan.of(file.toString(), PipelineFile.read(file));
    return PipelineStart.of(
        cluster, plan, PARTITIONS, new RunningCounts(), folder.resolve("state"));
  }

  private static Map<String, List<Long>> released() throws Exception {
    Map<String, List<Long>> released = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed("sold")) {
      CountRelease release = (CountRelease) Outputs.decodeAny(record.value());
      assertThat(released.put(release.getSubject(), release.getCounts()))
          .as("released once")
          .isNull();
    }
    return released;
  }
}
