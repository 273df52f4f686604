// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
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

  /** Exported under 'clock: ticks' alone, as TickWatchTest checks. */
  private static final Set<String> UNDER_TICKS =
      Set.of(
          "sfumato_tick_age_seconds",
          "sfumato_tick_age_limit_seconds",
          "sfumato_clock_ahead_seconds");

  @BeforeAll
  static void needPrometheus() {
    PrometheusServer.require();
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
    try (PrometheusServer prometheus = PrometheusServer.start(folder.resolve("prometheus"))) {
      prometheus.watch(watched.port());
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> prometheus.value("up{job=\"sfumato\"}") == 1);
      assertThat(prometheus.value("sfumato_records_total{outcome=\"accepted\"}")).isEqualTo(3000);
      assertThat(prometheus.value("sum(sfumato_releases_total)")).isEqualTo(50);
      // Several windows may be released at once before the first is told of.
      assertThat(prometheus.value("sum(sfumato_windows_closed_total)")).isBetween(0.0, 3.0);
      assertThat(prometheus.value("sfumato_client_state{state=\"running\"}")).isEqualTo(1);
    }
  }

  /** A file without noise to speak of, closed by ticks. */
  private static final String USERS =
      """
      pipeline: panels-users
      input: { topic: panels-users-in, subject: { constant: all }, user: who, time: at, category: what, categories: [north, south] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [all]
      window: { size: 10s, clock: ticks, begin: %s }
      budget: { name: panels-users, unit: user, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - count: { name: panels-users-visits, share: { epsilon: 2, delta: 1e-6 } }
      """
          .formatted(Instant.ofEpochMilli(Watched.BASE));

  private static final String DATASETS =
      """
      pipeline: panels-datasets
      input: { topic: panels-datasets-in, subject: who, time: at, category: what, categories: [north, south] }
      subjects: [ann, bob]
      window: { size: 10s, clock: ticks, begin: %s }
      budget: { name: panels-datasets, unit: dataset, epsilon: 2, period: window }
      releases:
        - mollifier: { name: panels-datasets-taste, sampler: clipped, share: { epsilon: 2 } }
      """
          .formatted(Instant.ofEpochMilli(Watched.BASE));

  /** Panels that are empty for a kind of pipeline are in a row that names the kinds it is for. */
  private static final Map<String, Set<String>> OF_SOME =
      Map.of(
          "Ticks (files with clock: ticks)", Set.of("panels-users", "panels-datasets"),
          "Queries (files with abc)", Set.of("panels-records"),
          "Ledgers of subjects (units record and dataset)",
              Set.of("panels-records", "panels-datasets"));

  @Test
  void shouldShowDataInEachPanelWhateverAPipelineProtects(TestCluster cluster) throws Exception {
    try (Watched records =
            Watched.histogramAndQuery(cluster, folder.resolve("r"), "panels-records");
        Watched users = new Watched(cluster, folder.resolve("u"), USERS);
        Watched datasets = new Watched(cluster, folder.resolve("d"), DATASETS);
        PrometheusServer prometheus = PrometheusServer.start(folder.resolve("prometheus"))) {
      for (int window = 0; window < 2; window++) {
        records.play(window, 5);
        users.visit(window, 10, "north", "south");
        datasets.visit(window, 10, "north", "south");
      }
      prometheus.watch(records.port(), users.port(), datasets.port());
      Set<String> all = Set.of("panels-records", "panels-users", "panels-datasets");
      Set<String> rows = new TreeSet<>();
      Set<String> shown = all;
      for (JsonNode panel : panels()) {
        String title = panel.path("title").asText();
        if (panel.path("type").asText().equals("row")) {
          shown = OF_SOME.getOrDefault(title, all);
          assertThat(title.contains("(")).as(title).isEqualTo(OF_SOME.containsKey(title));
          rows.add(title);
        }
        for (JsonNode target : panel.path("targets")) {
          for (String pipeline : shown) {
            awaitData(prometheus, title, query(target.path("expr").asText(), pipeline));
          }
        }
      }
      assertThat(rows).containsAll(OF_SOME.keySet());
    }
  }

  private static void awaitData(PrometheusServer prometheus, String title, String query) {
    Awaitility.await(title + ": " + query)
        .pollInterval(Duration.ofMillis(500))
        .atMost(TestCluster.PATIENCE)
        .until(() -> !Double.isNaN(prometheus.value(query)));
  }

  /** With one pipeline chosen, and otherwise all. */
  private static String query(String expression, String pipeline) {
    return expression
        .replace("$pipeline", pipeline)
        .replace("$instance", ".*")
        .replace("$partition", ".*");
  }

  private static JsonNode panels() throws Exception {
    return JSON.readTree(DOCKER.resolve("grafana/dashboards/sfumato.json").toFile()).path("panels");
  }

  private static List<String> dashboard() throws Exception {
    List<String> queries = new ArrayList<>();
    panels()
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
