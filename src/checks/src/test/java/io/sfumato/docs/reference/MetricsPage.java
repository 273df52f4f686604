// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs.reference;

import static io.sfumato.docs.reference.Markdown.code;
import static io.sfumato.docs.reference.Markdown.words;

import io.sfumato.ops.Metric;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** docs/reference/metrics.md, from the metrics that the program registers. */
final class MetricsPage {
  private MetricsPage() {}

  static String text() {
    return new Markdown(
            "Metrics",
            "This page is for operators who write queries, alerts or dashboards. It lists every"
                + " metric of `/metrics`, and of the export to"
                + " [OpenTelemetry](../operate/monitor.md#opentelemetry), which has the same names"
                + " and labels. Which ones to watch: [monitor](../operate/monitor.md).",
            "the enum Metric")
        .paragraph(
            "Metrics are those of one instance: sum or compare them over instances. Counters count"
                + " committed transactions since the start of the instance. No label ever holds a"
                + " subject, but metrics count records exactly, so they are for operators only.")
        .heading(2, "Metrics of a pipeline")
        .table(
            List.of("metric", "type", "labels", "unit", "meaning"),
            Stream.of(Metric.values()).map(MetricsPage::row).toList())
        .paragraph(
            "**Budget metrics are coarse on purpose**, so that no subject's remaining budget can be"
                + " read from them. After a start they have no value until all ledgers of live"
                + " periods have been counted once. They are not exported in user pipelines, whose"
                + " users have no public ledger, nor with `period: {any: 30d}`, whose spans"
                + " overlap.")
        .heading(2, "Labels")
        .table(
            List.of("label", "values"),
            Stream.of(Metric.Label.values())
                .map(label -> List.of(code(label.key()), words(label.meaning())))
                .toList())
        .heading(2, "Metrics of Kafka and the JVM")
        .paragraph(
            "`kafka_*` are those of the Kafka clients and the stream threads, as Kafka documents"
                + " them. `jvm_*`, `process_*` and `system_*` are those of the Java process."
                + " `run --all-metrics` adds Kafka's metrics of each task, store, topic, partition"
                + " and broker: some 500 series for a partition.")
        .toString();
  }

  private static List<String> row(Metric metric) {
    String labels =
        metric.labels().stream().map(label -> code(label.key())).collect(Collectors.joining(", "));
    return List.of(
        code(metric.exported()), metric.kind(), labels, metric.unit(), words(metric.meaning()));
  }
}
