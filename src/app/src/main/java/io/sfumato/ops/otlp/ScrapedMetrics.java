// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.data.SummaryData;
import io.opentelemetry.sdk.metrics.data.SummaryPointData;
import io.opentelemetry.sdk.metrics.data.ValueAtQuantile;
import io.opentelemetry.sdk.resources.Resource;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What {@code /metrics} shows, as OpenTelemetry's metrics: made of the same snapshots, so that both
 * have the same names, labels and values. Series of several pipelines are points of one metric.
 *
 * @param resource of the process
 * @param began when counters were 0, nanoseconds since 1970
 * @param now nanoseconds since 1970
 */
record ScrapedMetrics(Resource resource, long began, long now) {
  private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("sfumato");

  /** A metric with all its points. */
  private record Scraped(
      Resource resource, String name, String description, MetricDataType type, Data<?> data)
      implements MetricData {
    @Override
    public Resource getResource() {
      return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
      return SCOPE;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public String getDescription() {
      return description;
    }

    @Override
    public String getUnit() {
      String quantity = name.replaceFirst("_total$", "");
      return quantity.endsWith("_seconds") ? "s" : quantity.endsWith("_bytes") ? "By" : "";
    }

    @Override
    public MetricDataType getType() {
      return type;
    }

    @Override
    public Data<?> getData() {
      return data;
    }
  }

  /**
   * Converts.
   *
   * @param scrapes of all registries of the process
   */
  Collection<MetricData> of(List<MetricSnapshots> scrapes) {
    Map<String, List<MetricSnapshot>> families = new LinkedHashMap<>();
    for (MetricSnapshots scrape : scrapes) {
      for (MetricSnapshot snapshot : scrape) {
        families
            .computeIfAbsent(snapshot.getMetadata().getPrometheusName(), n -> new ArrayList<>())
            .add(snapshot);
      }
    }
    List<MetricData> metrics = new ArrayList<>();
    families.forEach((name, family) -> metrics.addAll(metric(name, family)));
    return metrics;
  }

  /** Kinds that no registry of this program has are not exported. */
  private List<MetricData> metric(String name, List<MetricSnapshot> family) {
    MetricSnapshot first = family.get(0);
    if (first instanceof CounterSnapshot) {
      return List.of(
          scraped(
              name + "_total",
              first,
              MetricDataType.DOUBLE_SUM,
              SumData.createDoubleSumData(
                  true,
                  AggregationTemporality.CUMULATIVE,
                  numbers(
                      family, p -> ((CounterSnapshot.CounterDataPointSnapshot) p).getValue()))));
    }
    if (first instanceof GaugeSnapshot) {
      return List.of(
          scraped(
              name,
              first,
              MetricDataType.DOUBLE_GAUGE,
              GaugeData.createDoubleGaugeData(
                  numbers(family, p -> ((GaugeSnapshot.GaugeDataPointSnapshot) p).getValue()))));
    }
    if (first instanceof InfoSnapshot) {
      return List.of(
          scraped(
              name + "_info",
              first,
              MetricDataType.DOUBLE_GAUGE,
              GaugeData.createDoubleGaugeData(numbers(family, p -> 1.0))));
    }
    if (first instanceof SummarySnapshot) {
      return List.of(
          scraped(
              name,
              first,
              MetricDataType.SUMMARY,
              SummaryData.create(points(family, p -> summary((SummaryDataPointSnapshot) p)))));
    }
    return List.of();
  }

  private MetricData scraped(String name, MetricSnapshot first, MetricDataType type, Data<?> data) {
    String help = first.getMetadata().getHelp();
    return new Scraped(resource, name, help == null ? "" : help, type, data);
  }

  private List<DoublePointData> numbers(
      List<MetricSnapshot> family, Function<DataPointSnapshot, Double> value) {
    return points(
        family, p -> DoublePointData.create(began, now, attributes(p), value.apply(p), List.of()));
  }

  private SummaryPointData summary(SummaryDataPointSnapshot point) {
    List<ValueAtQuantile> quantiles = new ArrayList<>();
    point
        .getQuantiles()
        .forEach(q -> quantiles.add(ValueAtQuantile.create(q.getQuantile(), q.getValue())));
    return SummaryPointData.create(
        began, now, attributes(point), point.getCount(), point.getSum(), quantiles);
  }

  private static <T> List<T> points(
      List<MetricSnapshot> family, Function<DataPointSnapshot, T> point) {
    return family.stream()
        .<DataPointSnapshot>flatMap(snapshot -> snapshot.getDataPoints().stream())
        .map(point)
        .toList();
  }

  private static Attributes attributes(DataPointSnapshot point) {
    AttributesBuilder attributes = Attributes.builder();
    for (Label label : point.getLabels()) {
      attributes.put(label.getName(), label.getValue());
    }
    return attributes.build();
  }

  /** At a time. */
  static ScrapedMetrics at(Resource resource, long beganMillis, long nowMillis) {
    return new ScrapedMetrics(
        resource,
        TimeUnit.MILLISECONDS.toNanos(beganMillis),
        TimeUnit.MILLISECONDS.toNanos(nowMillis));
  }
}
