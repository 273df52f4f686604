// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Debian's Prometheus, which scrapes as the job {@code sfumato} what a test names. */
final class PrometheusServer implements AutoCloseable {
  /** Seconds from one scrape to the next: more where a machine needs longer to answer one. */
  static final int SCRAPE = Integer.getInteger("sfumato.scrape.seconds", 4);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path folder;
  private final Path targets;
  private final int port = EmbeddedBroker.freePort();
  private final Process process;

  private PrometheusServer(Path folder, List<Path> rules) throws IOException {
    this.folder = folder;
    this.targets = folder.resolve("targets.json");
    watch();
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: { scrape_interval: %1$ds, scrape_timeout: %1$ds, evaluation_interval: 1s }
            rule_files: %2$s
            scrape_configs:
              - job_name: sfumato
                file_sd_configs: [{ files: [%3$s], refresh_interval: 1s }]
            """
                .formatted(SCRAPE, JSON.writeValueAsString(names(rules)), targets));
    process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .ignoreExceptions()
        .until(() -> query("vector(1)").path("status").asText().equals("success"));
  }

  /** A test that needs it is left out where it is not installed. */
  static void require() {
    assumeTrue(
        Files.exists(Path.of("/usr/bin/promtool")),
        "no Prometheus here: install Debian's package prometheus");
  }

  /**
   * Starts it, and waits until it answers.
   *
   * @param rules files with rules
   */
  static PrometheusServer start(Path folder, Path... rules) throws IOException {
    return new PrometheusServer(Files.createDirectories(folder), List.of(rules));
  }

  private static List<String> names(List<Path> rules) {
    return rules.stream().map(Path::toString).toList();
  }

  /** Scrapes these instances from now on, and no other ones. */
  void watch(int... ports) throws IOException {
    List<String> all = Arrays.stream(ports).mapToObj(each -> "127.0.0.1:" + each).toList();
    Path next = folder.resolve("targets.next");
    JSON.writeValue(next.toFile(), List.of(Map.of("targets", all)));
    Files.move(next, targets, StandardCopyOption.ATOMIC_MOVE);
  }

  /** What it answers to a query. */
  JsonNode query(String query) throws IOException, InterruptedException {
    return get("query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
  }

  /** Series that a query finds. */
  JsonNode series(String query) throws IOException, InterruptedException {
    return query(query).at("/data/result");
  }

  /** Value of the first series; not a number if there is none. */
  double value(String query) throws IOException, InterruptedException {
    return series(query).at("/0/value/1").asDouble(Double.NaN);
  }

  /** Names of alerts that fire. */
  Set<String> firing() throws IOException, InterruptedException {
    Set<String> firing = new TreeSet<>();
    for (JsonNode alert : get("alerts").at("/data/alerts")) {
      if (alert.path("state").asText().equals("firing")) {
        firing.add(alert.at("/labels/alertname").asText());
      }
    }
    return firing;
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/api/v1/%s".formatted(port, path));
    return JSON.readTree(
        client
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
            .body());
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
