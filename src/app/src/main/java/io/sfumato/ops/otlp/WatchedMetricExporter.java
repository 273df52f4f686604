// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.Collection;

/** Another exporter, whose failures are watched. */
record WatchedMetricExporter(MetricExporter exporter, CollectorWatch watch)
    implements MetricExporter {
  @Override
  public CompletableResultCode export(Collection<MetricData> metrics) {
    return watch.watch(exporter.export(metrics));
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType type) {
    return exporter.getAggregationTemporality(type);
  }
}
