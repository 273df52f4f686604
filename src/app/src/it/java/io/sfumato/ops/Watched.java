// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.ops.http.HttpSettings;
import io.sfumato.release.Plan;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A running pipeline and the page of its operators. */
final class Watched implements AutoCloseable {
  static final long BASE = 1_700_000_000_000L;
  static final String SECRET_NAME = "patient-zero-canary";

  private static final String YAML =
      """
      pipeline: %1$s
      input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [walk, sleep, work, sport] }
      window: { size: 10s }
      budget: { name: %1$s, unit: record, epsilon: 4, delta: 1e-6 }
      releases:
        - histogram: { name: %1$s-mix, method: dirichlet, share: { epsilon: 2, delta: 5e-7 }, windows: 2, plan-size: 40 }
        - abc: { name: %1$s-fit, method: rejection, threshold: 0.4, share: { epsilon: 2, delta: 5e-7 }, queries: 1, candidates: 4, plan-size: 40 }
      """;

  private final TestCluster cluster;
  private final Plan plan;
  private final RunningCounts counts = new RunningCounts();
  private final Operations operations;
  private final Deployment deployment;
  private final PipelineRun run;
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * A pipeline with a histogram, {@code NAME-mix}, and a query, {@code NAME-fit}.
   *
   * @param name of the pipeline and its budget
   */
  static Watched histogramAndQuery(TestCluster cluster, Path folder, String name) throws Exception {
    return new Watched(cluster, folder, YAML.formatted(name));
  }

  /**
   * @param folder for local state
   * @param yaml of a pipeline that reads a topic of one partition, which is created here
   */
  Watched(TestCluster cluster, Path folder, String yaml) throws Exception {
    this(cluster, folder, TestCluster.plan(yaml));
  }

  /**
   * @param folder for local state
   * @param plan of a pipeline that reads a topic of one partition, which is created here
   */
  Watched(TestCluster cluster, Path folder, Plan plan) throws Exception {
    this.cluster = cluster;
    this.plan = plan;
    cluster.createTopic(topic(), 1);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    deployment = TestCluster.deployment(plan, 1, counts);
    operations =
        Operations.open(
            plan,
            counts,
            "0123456789abcdef",
            settings,
            new HttpSettings(HttpSettings.LOOPBACK, 0, false, Optional.empty()));
    run =
        PipelineRun.start(
            plan, deployment, new PipelineRun.Instance(settings, folder.resolve("state"), 1, 0));
    operations.watch(run);
    run.awaitRunning(TestCluster.PATIENCE);
  }

  private String topic() {
    return plan.pipeline().input().topics().names().get(0);
  }

  private ProducerRecord<byte[], byte[]> tick(long time) {
    return TestCluster.tick(plan.pipeline().budget().name(), topic(), 0, BASE, time);
  }

  /** Records of some subjects in one window, and one of the next window. */
  void play(int window, int subjects) throws Exception {
    String[] what = {"walk", "sleep", "work", "work"};
    long from = BASE + window * 10_000L;
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int i = 0; i < 40 * subjects; i++) {
        String who = i % subjects == 0 ? SECRET_NAME : "listener-" + i % subjects;
        producer.send(TestCluster.event(topic(), 0, BASE, who, from + i, what[i % 4]));
      }
      producer.send(TestCluster.event(topic(), 0, BASE, "x", from + 1, "nonsense"));
      producer.send(tick(from + 10_000));
      producer.flush();
    }
  }

  /** Users of each subject, who have one record of a window each, and the tick that closes it. */
  void visit(int window, int users, String... subjects) throws Exception {
    long from = BASE + window * 10_000L;
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (String subject : subjects) {
        for (int i = 0; i < users; i++) {
          String who = "visitor-" + i + "-of-" + subject;
          producer.send(TestCluster.event(topic(), 0, BASE, who, from + i, subject));
        }
      }
      producer.send(tick(from + 10_000));
      producer.flush();
    }
  }

  /** Records as they are, and the tick that closes their window. */
  void send(int window, List<String> records) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (String record : records) {
        producer.send(
            new ProducerRecord<>(topic(), 0, BASE, null, record.getBytes(StandardCharsets.UTF_8)));
      }
      producer.send(tick(BASE + (window + 1) * 10_000L));
      producer.flush();
    }
  }

  /** Half of a query's four candidates, about one subject's first window. */
  void ask() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int i = 0; i < 2; i++) {
        byte[] candidate =
            Outputs.encode(
                AbcCandidate.newBuilder()
                    .setOutput(plan.pipeline().name() + "-fit")
                    .setQueryId("q")
                    .setCandidate(i)
                    .setCandidates(4)
                    .setSubject(SECRET_NAME)
                    .setWindowStart(Instant.ofEpochMilli(BASE))
                    .setParameters(List.of(1.0))
                    .setCounts(List.of(10L, 10L, 20L, 0L))
                    .build());
        producer.send(
            new ProducerRecord<>(plan.pipeline().candidatesTopic(), 0, BASE, null, candidate));
      }
      producer.flush();
    }
  }

  /** Tag of a release that failed, which the log names. */
  Optional<String> failed() {
    return deployment.holds().first();
  }

  int port() {
    return operations.port();
  }

  RunningCounts counts() {
    return counts;
  }

  String url(String path) {
    return "http://127.0.0.1:" + operations.port() + path;
  }

  String get(String path) throws Exception {
    return response(path).body();
  }

  HttpResponse<String> response(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(url(path))).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** A metric's value; the series begins with this text. */
  double metric(String series) throws Exception {
    String[] parts = series.split("[{,}]");
    List<String> labels = List.of(parts).subList(1, parts.length);
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(parts[0] + "{") && labels.stream().allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    operations.close();
    run.close();
  }
}
