// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The largest file of each kind that a plan accepts closes its window with default settings: no
 * transaction outlives its timeout, and every output of every subject is released once.
 */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class LargestFilesIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final List<String> SUBJECTS = List.of("s0", "s1", "s2", "s3", "s4");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "large-table, 1",
    "large-histograms, 3",
    "large-dirichlet, 1",
    "large-quantiles, 1",
    "large-means, 1",
    "large-features, 1",
    "large-categories, 1",
    "large-numbers, 1"
  })
  void shouldCloseItsWindow(String name, int outputs, TestCluster cluster) throws Exception {
    cluster.createTopic(name + "-in", 1);
    Plan plan = TestCluster.plan(file(name));
    List<String> topics =
        IntStream.range(0, outputs).mapToObj(output -> name + "-" + output).toList();
    try (CapturedLog log = new CapturedLog();
        PipelineRun run = new Instances(cluster, folder).startIfAllowed(plan, name);
        var producer = cluster.producer()) {
      producer.send(TestCluster.tick(name, name + "-in", 0, BASE, BASE));
      for (int i = 0; i < 50; i++) {
        producer.send(record(name + "-in", i));
      }
      producer.send(TestCluster.tick(name, name + "-in", 0, BASE, BASE + 10_000));
      for (String topic : topics) {
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> subjects(cluster, topic), SUBJECTS::equals);
      }
      assertThat(run.failure()).isEmpty();
      assertThat(log.linesOf(plan))
          .isNotEmpty()
          .as("a transaction that took too long")
          .noneMatch(line -> line.contains("transaction was aborted"));
    }
  }

  /** Who is released in a topic; an output may come in several records. */
  private static List<String> subjects(TestCluster cluster, String topic) throws RefusedException {
    return cluster.committed(topic).stream()
        .map(record -> new String(record.key(), StandardCharsets.UTF_8))
        .distinct()
        .sorted()
        .toList();
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, int i) {
    String numbers =
        IntStream.range(0, 20)
            .mapToObj(k -> "\"x%d\":%d".formatted(k, i % 7))
            .collect(Collectors.joining(","));
    String value =
        "{\"ward\":\"s%d\",\"who\":\"u%d\",\"at\":%d,\"f\":\"v%d\",\"g\":\"v%d\",%s}"
            .formatted(i % SUBJECTS.size(), i, BASE, i % 300, i % 299, numbers);
    return new ProducerRecord<>(
        topic, 0, BASE, new byte[] {(byte) i}, value.getBytes(StandardCharsets.UTF_8));
  }

  private static String names(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> prefix + i)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String file(String name) {
    return switch (name) {
      case "large-table" ->
          ofUsers(
              name,
              "category: [f, g], categories: { f: %1$s, g: %1$s }".formatted(names("v", 300)),
              "table: { name: %s-0, share: { epsilon: 3, delta: 3e-6 } }");
      case "large-histograms" ->
          ofUsers(
              name,
              "category: f, categories: " + names("v", 5_700),
              "histogram: { name: %s-0, method: best, share: { epsilon: 3, delta: 3e-6 } }",
              "histogram: { name: %s-1, method: gaussian, post-processing: history, share: { epsilon: 3, delta: 3e-6 } }",
              "count: { name: %s-2, by: category, method: gaussian, post-processing: history, share: { epsilon: 3, delta: 3e-6 } }");
      case "large-dirichlet" ->
          ofUsers(
              name,
              "category: f, categories: " + names("v", 10_000),
              "histogram: { name: %s-0, method: dirichlet, plan-size: 100, share: { epsilon: 3, delta: 3e-6 } }");
      case "large-quantiles" ->
          ofUsers(
              name,
              "values: [x0]",
              "quantile: { name: %s-0, value: x0, bounds: [0, 1000], bins: 65536, of: "
                  + hundredths()
                  + ", share: { epsilon: 3, delta: 3e-6 } }");
      case "large-means" ->
          ofUsers(
              name,
              "values: " + names("x", 20),
              "mean: { name: %s-0, values: "
                  + names("x", 20)
                  + ", bounds: "
                  + bounds()
                  + ", moments: 2, running: forever, windows: 1, share: { epsilon: 3, delta: 3e-6 } }");
      case "large-features" ->
          ofUsers(
                  name,
                  "values: [x0]",
                  "features: { name: %s-0, share: { epsilon: 3, delta: 3e-6 } }")
              + "features: { bandwidth: 1, count: 10000 }\n";
      case "large-categories" ->
          ofDatasets(
              name,
              "category: f, categories: " + names("v", 3_000),
              "mollifier: { name: %s-0, items: 5, sampler: mollifier, share: { epsilon: 6 } }");
      case "large-numbers" ->
          ofDatasets(
                  name,
                  "values: [x0, x1]",
                  "mollifier: { name: %s-0, items: 5, sampler: mollifier, share: { epsilon: 6 }, reference: { gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] } }")
              + "reservoir: 10000\n";
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static String bounds() {
    return IntStream.range(0, 20)
        .mapToObj(i -> "x" + i + ": [0, 9]")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String hundredths() {
    return IntStream.rangeClosed(1, 100)
        .mapToObj(i -> String.valueOf(i / 101.0))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String ofUsers(String name, String input, String... releases) {
    return of(name, "user: who, ", input, "unit: user, epsilon: 9, delta: 9e-6", releases)
        + "contributions: { per-window: 3 }\n";
  }

  private static String ofDatasets(String name, String input, String... releases) {
    return of(name, "", input, "unit: dataset, epsilon: 6", releases);
  }

  private static String of(
      String name, String user, String input, String budget, String... releases) {
    return """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: ward, %2$stime: at, %3$s }
        subjects: %4$s
        window: { size: 10s, clock: ticks, begin: 2026-01-05 }
        budget: { name: %1$s, %5$s, period: window }
        releases:
        """
            .formatted(name, user, input, SUBJECTS, budget)
        + IntStream.range(0, releases.length)
            .mapToObj(i -> "  - " + releases[i].formatted(name) + "\n")
            .collect(Collectors.joining());
  }
}
