// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is declared is exported, with the labels that it declares. */
class MetricTest {
  /** Of an instance: PrometheusIT looks for them. */
  private static final Set<Metric> OF_PROCESSES =
      EnumSet.of(
          Metric.CLIENT_STATE,
          Metric.READY,
          Metric.ADVANCING,
          Metric.BROKERS,
          Metric.UNSAFE_TOPIC_SETTINGS,
          Metric.HELD_RELEASES,
          Metric.HANGING_TRANSACTIONS,
          Metric.EXIT_CODE,
          Metric.PAGE_CLIENTS);

  /** One answers queries, one fits densities, and one is closed by ticks. */
  @Test
  void shouldRegisterEachMetricOfPipelines() {
    Set<String> registered = new TreeSet<>();
    for (String file : Set.of("diary-model.yaml", "diary-taste.yaml", "searches.yaml")) {
      registered.addAll(registered(Plans.example(file)));
    }
    assertThat(registered)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Metric.values())
                .filter(metric -> !OF_PROCESSES.contains(metric))
                .map(Metric::meter)
                .toList());
  }

  @Test
  void shouldExportEachMetricUnderItsName() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().namingConvention(Conventions.names());
    for (Metric metric : Metric.values()) {
      Tags tags = Tags.empty();
      for (Metric.Label label : metric.labels()) {
        tags = tags.and(label.key(), "some");
      }
      if (metric.kind().equals("counter")) {
        metric.counter(registry, tags, this, t -> 1);
      } else {
        metric.gauge(registry, tags, this, t -> 1);
      }
    }
    List<String> types =
        registry.scrape().lines().filter(line -> line.startsWith("# TYPE ")).toList();
    assertThat(types)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Metric.values())
                .map(metric -> "# TYPE %s %s".formatted(metric.exported(), metric.kind()))
                .toList());
  }

  private static Set<String> registered(Plan plan) {
    RunningCounts counts = new RunningCounts(LifecycleLog.of(plan.pipeline().window()));
    counts.closed(0, plan.pipeline().window().grid().longest().toMillis());
    TickAge age = new TickAge(plan.pipeline(), counts, Optional::empty);
    MeterRegistry registry = new SimpleMeterRegistry();
    PipelineMetrics metrics = new PipelineMetrics(plan, counts, age, "tag");
    metrics.bindTo(registry);
    metrics.refresh(registry);
    return registry.getMeters().stream()
        .map(meter -> meter.getId().getName())
        .collect(Collectors.toSet());
  }

  @Test
  void shouldRefuseLabelsThatAreNotDeclared() {
    MeterRegistry registry = new SimpleMeterRegistry();
    assertThatThrownBy(() -> Metric.READY.gauge(registry, Tags.of("who", "ann"), this, t -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[who]");
    assertThatThrownBy(() -> Metric.RELEASES.counter(registry, Tags.empty(), this, t -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[output]");
    assertThatThrownBy(() -> Metric.READY.counter(registry, Tags.empty(), this, t -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("COUNTER");
    assertThat(registry.getMeters()).isEmpty();
  }
}
