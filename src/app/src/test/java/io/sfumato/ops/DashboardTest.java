// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operators' dashboard asks for exists, whatever the pipeline protects. */
class DashboardTest {
  private static final Path FILE = Path.of("docker/grafana/dashboards/sfumato.json");
  private static final Pattern NAME = Pattern.compile("\\bsfumato_[a-z0-9_]+\\b");

  /** Of an instance, whatever it runs: others register them. */
  private static final Set<String> OF_INSTANCE =
      Stream.of(
              Metric.READY,
              Metric.ADVANCING,
              Metric.BROKERS,
              Metric.UNSAFE_TOPIC_SETTINGS,
              Metric.HELD_RELEASES,
              Metric.HANGING_TRANSACTIONS,
              Metric.EXIT_CODE)
          .map(Metric::exported)
          .collect(Collectors.toSet());

  /** Rows of some kinds of pipelines only say so in their title. */
  @ParameterizedTest
  @ValueSource(strings = {"diary", "diary-model", "diary-taste", "searches", "wards"})
  void shouldAskForSeriesThatThePipelineHas(String name) throws IOException {
    Set<String> exported = new TreeSet<>(OF_INSTANCE);
    scrape(Plans.example(name + ".yaml")).forEach(line -> exported.add(line.split("[{ ]", 2)[0]));
    int panels = 0;
    boolean isOfSome = false;
    for (JsonNode panel : new ObjectMapper().readTree(FILE.toFile()).path("panels")) {
      if (panel.path("type").asText().equals("row")) {
        isOfSome = panel.path("title").asText().contains("(");
        continue;
      }
      Set<String> asked =
          NAME.matcher(panel.path("targets").findValuesAsText("expr").toString())
              .results()
              .map(MatchResult::group)
              .collect(Collectors.toSet());
      if (!isOfSome || panel.at("/fieldConfig/defaults/noValue").isMissingNode()) {
        assertThat(exported).as(panel.path("title").asText()).containsAll(asked);
      }
      panels++;
    }
    assertThat(panels).isGreaterThan(15);
  }

  @Test
  void shouldShowLedgersWhereSubjectsHaveSome() {
    assertThat(scrape(Plans.example("diary.yaml")))
        .anyMatch(line -> line.startsWith(Metric.BUDGET_LEFT.exported()));
    assertThat(scrape(Plans.example("wards.yaml")))
        .as("users have no public ledger")
        .noneMatch(line -> line.contains("_budget_"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"searches", "wards", "orders", "visits"})
  void shouldExportNoSeriesOfUsersWithoutAValue(String name) {
    assertThat(scrape(Plans.example(name + ".yaml"))).noneMatch(line -> line.endsWith(" NaN"));
  }

  private static Set<String> scrape(Plan plan) {
    RunningCounts counts = new RunningCounts(LifecycleLog.of(plan.pipeline().window()));
    counts.closed(0, 0);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    TickAge age = new TickAge(plan.pipeline(), counts, Optional::empty);
    PipelineMetrics metrics = new PipelineMetrics(plan, counts, age, "tag");
    metrics.bindTo(registry);
    metrics.refresh(registry);
    return registry
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
