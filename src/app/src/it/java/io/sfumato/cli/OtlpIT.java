// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.opentelemetry.proto.trace.v1.Span;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ops.Metric;
import io.sfumato.ops.otlp.CollectorStub;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a process exports to an OpenTelemetry collector, and what it shows at its port. */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class OtlpIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final String SUBJECT = "patient-zero-canary";
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z0-9_]+)=\"");

  /** Labels of metrics that are not the program's own. */
  private static final Set<String> FOREIGN =
      Set.of(
          "action",
          "application_id",
          "area",
          "cause",
          "client_id",
          "gc",
          "id",
          "kafka_version",
          "pipeline",
          "process_id",
          "rocksdb_state_id",
          "state",
          "task_id",
          "thread_id");

  private static final Set<String> OF_WINDOWS =
      Set.of(
          "sfumato.pipeline",
          "sfumato.version",
          "sfumato.partition",
          "sfumato.window.start",
          "sfumato.window.end",
          "sfumato.windows",
          "sfumato.releases");

  private static final Set<String> OF_RESOURCES =
      Set.of(
          "service.name",
          "service.instance.id",
          "service.version",
          "telemetry.sdk.language",
          "telemetry.sdk.name",
          "telemetry.sdk.version");

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void kill() {
    Processes.kill(started);
  }

  private Path file(TestCluster cluster, String name, String yaml) throws Exception {
    cluster.createTopic(name + "-in", 1);
    Path files = Files.createDirectories(folder.resolve("files"));
    return Files.writeString(files.resolve(name + ".yaml"), yaml);
  }

  private static void publish(TestCluster cluster, String name, int... windows) throws Exception {
    try (var producer = cluster.producer()) {
      for (int window : windows) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event(name + "-in", 0, BASE, SUBJECT, time, "a"));
      }
    }
  }

  private Process run(TestCluster cluster, CollectorStub collector, Path log, String... more)
      throws Exception {
    Path key = folder.resolve("key");
    if (!Files.exists(key)) {
      NoiseSecret.random().write(key);
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                "--bootstrap-servers",
                cluster.servers(),
                "--secret-file",
                key.toString(),
                "--data",
                folder.resolve("data").toString(),
                "--accept-risk",
                "--standbys",
                "0"));
    arguments.addAll(List.of(more));
    ProcessBuilder builder = CommandProcess.of(folder, log, arguments.toArray(String[]::new));
    builder
        .environment()
        .putAll(
            Map.of(
                "SFUMATO_LOG_FORMAT", "json",
                "OTEL_EXPORTER_OTLP_ENDPOINT", collector.url(),
                "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20token-canary",
                "OTEL_METRIC_EXPORT_INTERVAL", "1000"));
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static void stop(Process process, Path log) throws Exception {
    process.destroy();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as(Files.readString(log))
        .isTrue();
  }

  private static Map<String, Double> own(Map<String, Double> series) {
    Map<String, Double> own = new TreeMap<>(series);
    own.keySet().removeIf(name -> !name.startsWith("sfumato_"));
    return own;
  }

  private static Map<String, Double> exported(CollectorStub collector) {
    List<List<io.opentelemetry.proto.metrics.v1.Metric>> all = collector.metrics();
    return all.isEmpty() ? Map.of() : CollectorStub.series(all.get(all.size() - 1));
  }

  private static Set<String> labels(Collection<String> series) {
    Set<String> labels = new TreeSet<>();
    for (String one : series) {
      Matcher matcher = LABEL.matcher(one);
      while (matcher.find()) {
        labels.add(matcher.group(1));
      }
    }
    return labels;
  }

  private static String id(Span span) {
    return HexFormat.of().formatHex(span.getTraceId().toByteArray());
  }

  private static List<Map<String, Object>> windows(CollectorStub collector) {
    return collector.spans().stream()
        .filter(span -> span.getName().equals("window"))
        .map(span -> CollectorStub.attributes(span.getAttributesList()))
        .toList();
  }

  @Test
  void shouldExportWhatThePortShowsAndNothingElse(TestCluster cluster) throws Exception {
    Path file = file(cluster, "otlp", HistogramFile.lifetime("otlp", 8));
    Path log = folder.resolve("log");
    try (CollectorStub collector = new CollectorStub()) {
      Process process =
          run(cluster, collector, log, file.toString(), "--port", "0", "--probe-port", "0");
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> !process.isAlive() || RunningPage.isIn(JsonLinesIT.text(log)));
      RunningPage page = RunningPage.of(JsonLinesIT.text(log));
      for (int window = 0; window < 3; window++) {
        publish(cluster, "otlp", window, window + 1);
        cluster.awaitCount("otlp-mix", window + 1);
      }
      await().atMost(TestCluster.PATIENCE).until(() -> !windows(collector).isEmpty());
      requireSameMetrics(collector, page);
      stop(process, log);
      requirePublicTraces(collector, log);
      assertThat(collector.resources())
          .isNotEmpty()
          .allSatisfy(resource -> assertThat(resource.keySet()).isSubsetOf(OF_RESOURCES))
          .allSatisfy(resource -> assertThat(resource).containsEntry("service.name", "sfumato"));
      assertThat(collector.requests())
          .allSatisfy(
              request ->
                  assertThat(request.headers())
                      .containsEntry("authorization", "Bearer token-canary"))
          .extracting(request -> new String(request.body(), StandardCharsets.ISO_8859_1))
          .noneMatch(body -> body.contains(SUBJECT));
    }
  }

  private static long released(List<Map<String, Object>> windows) {
    return windows.stream().mapToLong(window -> (Long) window.get("sfumato.releases")).sum();
  }

  /** At a quiet moment: all series, and the values of those that do not change by themselves. */
  private static void requireSameMetrics(CollectorStub collector, RunningPage page)
      throws Exception {
    Map<String, Double> scraped = new TreeMap<>();
    await()
        .atMost(TestCluster.PATIENCE)
        .untilAsserted(
            () -> {
              scraped.clear();
              scraped.putAll(CollectorStub.scraped(page.get("/metrics").body()));
              Map<String, Double> exported = exported(collector);
              assertThat(exported.keySet()).isEqualTo(scraped.keySet());
              assertThat(own(exported)).isEqualTo(own(scraped));
            });
    assertThat(own(scraped))
        .containsEntry("sfumato_records_total{outcome=\"accepted\",pipeline=\"otlp\"}", 6.0)
        .containsEntry("sfumato_releases_total{output=\"otlp-mix\",pipeline=\"otlp\"}", 3.0);
    Set<String> declared =
        Stream.of(Metric.Label.values()).map(Metric.Label::key).collect(Collectors.toSet());
    assertThat(labels(own(scraped).keySet())).isSubsetOf(declared);
    Set<String> foreign = new TreeSet<>(scraped.keySet());
    foreign.removeAll(own(scraped).keySet());
    assertThat(labels(foreign)).isSubsetOf(FOREIGN);
  }

  private static void requirePublicTraces(CollectorStub collector, Path log) throws Exception {
    Map<String, List<Span>> traces =
        collector.spans().stream().collect(Collectors.groupingBy(OtlpIT::id));
    assertThat(traces).isNotEmpty();
    traces
        .values()
        .forEach(
            spans -> {
              assertThat(spans)
                  .extracting(Span::getName)
                  .containsExactlyInAnyOrder("window", "closed", "drawn", "committed");
              assertThat(spans)
                  .filteredOn(span -> !span.getName().equals("window"))
                  .allSatisfy(span -> assertThat(span.getAttributesList()).isEmpty());
              assertThat(spans)
                  .allSatisfy(
                      span -> {
                        assertThat(span.getEventsCount()).isZero();
                        assertThat(span.getLinksCount()).isZero();
                        assertThat(span.getStartTimeUnixNano() % 1_000_000_000L).isZero();
                        assertThat(span.getEndTimeUnixNano() % 1_000_000_000L).isZero();
                      });
            });
    // A window that follows within a second has no trace, and counts in the next one.
    assertThat(released(windows(collector))).isBetween(1L, 3L);
    assertThat(windows(collector))
        .allSatisfy(
            window ->
                assertThat(window)
                    .containsEntry("sfumato.pipeline", "otlp")
                    .containsEntry("sfumato.version", 1L)
                    .containsEntry("sfumato.partition", 0L))
        .allSatisfy(window -> assertThat(window.keySet()).isSubsetOf(OF_WINDOWS));
    List<JsonNode> lines = JsonLinesIT.parsed(log);
    assertThat(lines.stream().filter(line -> line.has("trace_id")))
        .extracting(line -> line.path("trace_id").asText())
        .as("lines of windows")
        .containsExactlyInAnyOrderElementsOf(traces.keySet());
    assertThat(Files.readString(log)).doesNotContain("token-canary", SUBJECT);
    assertThat(lines)
        .extracting(line -> line.path("formattedMessage").asText())
        .anyMatch(line -> line.startsWith("note: the secret OTEL_EXPORTER_OTLP_HEADERS"))
        .anyMatch(line -> line.contains("authorization=***"))
        .anyMatch(line -> line.startsWith("stopped: "));
  }

  @Test
  void shouldExportAllPipelinesOfAProcessWithoutAPort(TestCluster cluster) throws Exception {
    for (String name : List.of("otlp-left", "otlp-right")) {
      file(cluster, name, HistogramFile.lifetime(name, 8));
      publish(cluster, name, 0, 1);
    }
    Files.writeString(folder.resolve("files/wrong.yaml"), "pipeline: wrong\nbudgit: 1\n");
    Path log = folder.resolve("log");
    try (CollectorStub collector = new CollectorStub()) {
      Process process =
          run(
              cluster,
              collector,
              log,
              folder.resolve("files").toString(),
              "--no-http",
              "--catch-up");
      for (String name : List.of("otlp-left", "otlp-right")) {
        await()
            .atMost(TestCluster.PATIENCE)
            .until(
                () ->
                    !process.isAlive()
                        || exported(collector)
                                .getOrDefault(
                                    "sfumato_releases_total{output=\"%1$s-mix\",pipeline=\"%1$s\"}"
                                        .formatted(name),
                                    0.0)
                            == 1);
      }
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
      stop(process, log);
      assertThat(windows(collector))
          .extracting(window -> window.get("sfumato.pipeline"))
          .contains("otlp-left", "otlp-right");
      List<JsonNode> lines = JsonLinesIT.parsed(log);
      assertThat(lines)
          .extracting(line -> line.path("pipeline").asText())
          .contains("otlp-left", "otlp-right", "wrong");
      assertThat(lines)
          .filteredOn(line -> line.has("trace_id"))
          .isNotEmpty()
          .allSatisfy(
              line -> assertThat(line.path("pipeline").asText()).isIn("otlp-left", "otlp-right"));
    }
  }

  /** It neither fails nor waits, and says once what it could not do. */
  @Test
  void shouldReleaseAsUsualWhileTheCollectorIsDown(TestCluster cluster) throws Exception {
    Path file = file(cluster, "otlp-alone", HistogramFile.lifetime("otlp-alone", 8));
    Path log = folder.resolve("log");
    CollectorStub collector = new CollectorStub();
    collector.close();
    publish(cluster, "otlp-alone", 0, 1, 2);
    Process process = run(cluster, collector, log, file.toString(), "--no-http", "--catch-up");
    cluster.awaitCount("otlp-alone-mix", 2);
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !process.isAlive() || JsonLinesIT.text(log).contains("does not take exports"));
    stop(process, log);
    assertThat(JsonLinesIT.parsed(log))
        .extracting(line -> line.path("formattedMessage").asText())
        .filteredOn(line -> line.contains("OpenTelemetry collector"))
        .singleElement()
        .asString()
        .contains("no connection", collector.url())
        .doesNotContain("canary");
  }
}
