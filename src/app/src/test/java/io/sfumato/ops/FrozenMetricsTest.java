// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sfumato.frozen.Golden;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and labels of a pipeline's own metrics: dashboards and alerts ask for them. */
class FrozenMetricsTest {
  @ParameterizedTest
  @ValueSource(strings = {"diary-taste", "searches", "wards"})
  void shouldExportTheSameSeries(String name) {
    Plan plan = Plans.example(name + ".yaml");
    RunningCounts counts = new RunningCounts(LifecycleLog.of(plan.pipeline().window()));
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    TickAge age = new TickAge(plan.pipeline(), counts, Optional::empty);
    new PipelineMetrics(plan, counts, age, "tag").bindTo(registry);
    String series =
        registry
            .scrape()
            .lines()
            .filter(line -> !line.startsWith("# HELP"))
            .map(line -> line.startsWith("#") ? line : line.substring(0, line.lastIndexOf(' ')))
            .sorted()
            .collect(Collectors.joining("\n", "", "\n"));
    Golden.check("metrics-" + name + ".txt", series);
  }
}
