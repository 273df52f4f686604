// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ops.Operations;
import io.sfumato.ops.RunningCounts;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.release.Plan;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.serde.Outputs;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Canaries in valid records: a subject, a number, a category that is counted as another one, and a
 * field that the pipeline does not name. They are searched for in every topic, every line of the
 * log, every metric and everything that the operators' port shows.
 */
@Tag("cluster")
class CanaryIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final String SUBJECT = "canary-subject-5b1e";
  private static final String CATEGORY = "canary-category-77aa";
  private static final String UNNAMED = "canary-field-c0de";
  private static final double NUMBER = 31337.04142;

  private static final String YAML =
      """
      pipeline: cage
      input: { topic: cage-in, subject: who, time: at, category: what, categories: [a, b], other: rest, values: [x] }
      features: { bandwidth: 0.7, count: 20 }
      window: { size: 10s }
      budget: { name: cage, unit: record, epsilon: 4, delta: 1e-6 }
      releases:
        - histogram: { name: cage-mix, method: laplace, share: { epsilon: 2, delta: 5e-7 }, windows: 1 }
        - abc: { name: cage-coin, distance: features, threshold: 0.4, share: { epsilon: 2, delta: 5e-7 }, queries: 1 }
      """;

  /** The subject is the key of what is published about it; nothing else of these is. */
  private static final Set<String> PUBLISHED =
      Set.of("cage-mix", "cage-coin", "cage-refusals", "cage-dead-letters");

  @TempDir Path folder;

  @Test
  void shouldShowNoRawValueAndNoSubjectWhereOthersRead() throws Exception {
    RunningCounts counts = new RunningCounts();
    Plan plan = TestCluster.plan(YAML);
    List<String> metrics = new ArrayList<>();
    List<String> log;
    try (CapturedLog captured = new CapturedLog();
        TestCluster cluster = new TestCluster(folder.resolve("broker"))) {
      cluster.createTopic("cage-in", 1);
      KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
      TestCluster.prepare(settings, plan);
      try (PipelineRun run =
          PipelineRun.start(
              plan,
              TestCluster.deployment(plan, 1, counts),
              new PipelineRun.Instance(settings, folder.resolve("state"), 1, 0))) {
        assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
        try (var producer = cluster.producer()) {
          for (int window = 0; window < 3; window++) {
            producer.send(record(window));
            producer.send(bad(window));
            producer.send(
                TestCluster.tick("cage", "cage-in", 0, BASE, BASE + (window + 1) * 10_000L));
          }
          producer.send(candidate());
          producer.flush();
        }
        await()
            .atMost(TestCluster.PATIENCE)
            .until(
                () ->
                    cluster.committed("cage-mix").size() == 1
                        && cluster.committed("cage-refusals").size() == 1
                        && cluster.committed("cage-coin").size() == 1
                        && cluster.committed("cage-dead-letters").size() == 3);
        metrics.addAll(metrics());
        metrics.addAll(port(plan, counts, settings, run));
      }
      Set<String> topics;
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.servers()))) {
        topics = new TreeSet<>(admin.listTopics().names().get());
      }
      topics.remove("cage-in");
      assertThat(topics).containsAll(PUBLISHED);
      for (String topic : topics) {
        for (ConsumerRecord<byte[], byte[]> record : cluster.read(topic, "read_uncommitted")) {
          String all = TestCluster.payload(record) + text(record.key()) + text(record.value());
          assertThat(all).as(topic).doesNotContain(UNNAMED).doesNotContain(CATEGORY);
          if (PUBLISHED.contains(topic)) {
            assertThat(text(record.value())).as(topic).doesNotContain(bits(ByteOrder.BIG_ENDIAN));
            assertThat(text(record.value()))
                .as(topic)
                .doesNotContain(bits(ByteOrder.LITTLE_ENDIAN))
                .doesNotContain(Double.toString(NUMBER));
          }
          if (topic.equals("cage-dead-letters")) {
            assertThat(all).as(topic).doesNotContain(SUBJECT);
          }
        }
      }
      log = captured.lines();
    }
    assertThat(log).isNotEmpty();
    assertThat(metrics).as("metrics were found").hasSizeGreaterThan(100);
    metrics.add(counts.line());
    for (String canary : List.of(SUBJECT, CATEGORY, UNNAMED, Double.toString(NUMBER))) {
      assertThat(log).noneMatch(line -> line.contains(canary));
      assertThat(metrics).noneMatch(metric -> metric.contains(canary));
    }
  }

  /** Everything that the operators' port shows. */
  private static List<String> port(
      Plan plan, RunningCounts counts, KafkaSettings settings, PipelineRun run) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    List<String> shown = new ArrayList<>();
    try (Operations operations =
        Operations.open(
            plan,
            counts,
            "tag",
            settings,
            new HttpSettings(HttpSettings.LOOPBACK, 0, false, Optional.empty()))) {
      operations.watch(run);
      URI address = URI.create("http://127.0.0.1:" + operations.port());
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> get(client, address.resolve("/snapshot.json")).contains("\"share\":"));
      for (String path : List.of("/metrics", "/snapshot.json", "/")) {
        shown.addAll(get(client, address.resolve(path)).lines().toList());
      }
    }
    return shown;
  }

  private static String get(HttpClient client, URI address) throws Exception {
    return client
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static ProducerRecord<byte[], byte[]> record(int window) {
    String json =
        "{\"who\":\"%s\",\"at\":%d,\"what\":\"%s\",\"x\":%s,\"note\":\"%s\"}"
            .formatted(SUBJECT, BASE + window * 10_000L, CATEGORY, NUMBER, UNNAMED);
    return new ProducerRecord<>(
        "cage-in", 0, BASE, bytes(SUBJECT), json.getBytes(StandardCharsets.UTF_8));
  }

  /** Without a number: a dead letter, which tells where it lies and no more. */
  private static ProducerRecord<byte[], byte[]> bad(int window) {
    String json =
        "{\"who\":\"%s\",\"at\":%d,\"what\":\"%s\",\"x\":\"%s\"}"
            .formatted(SUBJECT, BASE + window * 10_000L, CATEGORY, UNNAMED);
    return new ProducerRecord<>(
        "cage-in", 0, BASE, bytes(SUBJECT), json.getBytes(StandardCharsets.UTF_8));
  }

  private static ProducerRecord<byte[], byte[]> candidate() {
    AbcCandidate candidate =
        AbcCandidate.newBuilder()
            .setOutput("cage-coin")
            .setQueryId("q")
            .setCandidate(0)
            .setCandidates(1)
            .setSubject(SUBJECT)
            .setWindowStart(Instant.ofEpochMilli(BASE))
            .setParameters(List.of(1.0))
            .setValues(List.of(List.of(1.0)))
            .build();
    return new ProducerRecord<>("cage-candidates", 0, BASE, null, Outputs.encode(candidate));
  }

  /** Names, tags and values of everything that Kafka's clients and Streams measure. */
  private static List<String> metrics() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    List<String> metrics = new ArrayList<>();
    for (ObjectName name : server.queryNames(new ObjectName("kafka.*:*"), null)) {
      metrics.add(name.toString());
      for (var attribute : server.getMBeanInfo(name).getAttributes()) {
        metrics.add(attribute.getName() + "=" + server.getAttribute(name, attribute.getName()));
      }
    }
    return metrics;
  }

  private static String bits(ByteOrder order) {
    return text(ByteBuffer.allocate(8).order(order).putDouble(NUMBER).array());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
