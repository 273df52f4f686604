// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Debian's Prometheus reads what we write, and its rules and the dashboard ask for what there is.
 */
@ExtendWith(SharedBroker.class)
@Tag("release")
class PrometheusIT {
  private static final Path DOCKER = Path.of("docker").toAbsolutePath();
  private static final Pattern NAME =
      Pattern.compile("\\b(sfumato|kafka|jvm|process|system|up)(_[a-z0-9_]+)?\\b");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  /** Exported under 'clock: ticks' alone, as TickWatchTest checks. */
  private static final Set<String> UNDER_TICKS =
      Set.of(
          "sfumato_tick_age_seconds",
          "sfumato_tick_age_limit_seconds",
          "sfumato_clock_ahead_seconds");

  @BeforeAll
  static void needPrometheus() {
    assumeTrue(
        Files.exists(Path.of("/usr/bin/promtool")),
        "no Prometheus here: install Debian's package prometheus");
  }

  @Test
  void shouldAcceptTheRulesAndTheirTests() throws Exception {
    Path rules = DOCKER.resolve("prometheus");
    assertThat(run(rules, "promtool", "check", "rules", "alerts.yml")).contains("SUCCESS");
    assertThat(run(rules, "promtool", "test", "rules", "alerts-test.yml")).contains("SUCCESS");
    assertThat(run(rules, "promtool", "check", "config", "--syntax-only", "prometheus.yml"))
        .contains("SUCCESS");
  }

  @Test
  void shouldScrapeAndFindWhatRulesAndDashboardAskFor(TestCluster cluster) throws Exception {
    try (Watched watched = Watched.histogramAndQuery(cluster, folder, "scraped")) {
      for (int window = 0; window < 3; window++) {
        watched.play(window, 25);
      }
      await().atMost(TestCluster.PATIENCE).until(() -> watched.counts().refusals() == 25);
      String text = watched.get("/metrics");
      Path scraped = Files.writeString(folder.resolve("metrics"), text);
      assertThat(run(folder, "sh", "-c", "promtool check metrics < " + scraped)).isEmpty();
      Set<String> exported = names(text);
      exported.addAll(UNDER_TICKS);
      assertThat(exported)
          .as("what is declared")
          .containsAll(
              Stream.of(Metric.values())
                  .filter(
                      metric -> metric != Metric.LEARNER_FAILURES) // of files that fit densities
                  .map(Metric::exported)
                  .toList());
      assertThat(exported)
          .as("rules")
          .containsAll(asked(Files.readString(DOCKER.resolve("prometheus/alerts.yml"))));
      for (String query : dashboard()) {
        assertThat(exported).as(query).containsAll(asked(query));
      }
      scrape(watched);
    }
  }

  private void scrape(Watched watched) throws Exception {
    int port = EmbeddedBroker.freePort();
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: { scrape_interval: 1s }
            scrape_configs:
              - job_name: sfumato
                static_configs: [{ targets: ["%s"] }]
            """
                .formatted(URI.create(watched.url("/")).getAuthority()));
    Process prometheus =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    try {
      await()
          .atMost(TestCluster.PATIENCE)
          .ignoreExceptions()
          .until(() -> value(port, "up{job=\"sfumato\"}") == 1);
      assertThat(value(port, "sfumato_records_total{outcome=\"accepted\"}")).isEqualTo(3000);
      assertThat(value(port, "sum(sfumato_releases_total)")).isEqualTo(50);
      // Several windows may be released at once before the first is told of.
      assertThat(value(port, "sum(sfumato_windows_closed_total)")).isBetween(0.0, 3.0);
      assertThat(value(port, "sfumato_client_state{state=\"running\"}")).isEqualTo(1);
      for (String query : dashboard()) {
        assertThat(query(port, query).path("status").asText()).as(query).isEqualTo("success");
      }
    } finally {
      prometheus.destroy();
      prometheus.waitFor();
    }
  }

  private double value(int port, String query) throws Exception {
    return query(port, query).at("/data/result/0/value/1").asDouble(Double.NaN);
  }

  private JsonNode query(int port, String query) throws Exception {
    URI uri =
        URI.create(
            "http://127.0.0.1:%d/api/v1/query?query=%s"
                .formatted(port, URLEncoder.encode(query, StandardCharsets.UTF_8)));
    return JSON.readTree(
        client
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
            .body());
  }

  private static List<String> dashboard() throws Exception {
    List<String> queries = new ArrayList<>();
    JsonNode board = JSON.readTree(DOCKER.resolve("grafana/dashboards/sfumato.json").toFile());
    board
        .path("panels")
        .forEach(panel -> panel.path("targets").forEach(t -> queries.add(t.path("expr").asText())));
    assertThat(queries).hasSizeGreaterThan(10);
    return queries;
  }

  private static Set<String> names(String exposition) {
    Set<String> names =
        exposition
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.replaceFirst("[{ ].*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    names.add("up"); // Prometheus' own
    return names;
  }

  /** Names of metrics in queries; what stands in quotes is a label's value. */
  private static Set<String> asked(String queries) {
    Set<String> names = new TreeSet<>();
    Matcher matcher =
        NAME.matcher(queries.replaceAll("\"[^\"]*\"", "").replaceAll("name: \\w+", ""));
    while (matcher.find()) {
      if (!matcher.group().equals("sfumato")) {
        names.add(matcher.group());
      }
    }
    return names;
  }

  private static String run(Path folder, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.strip();
  }
}
