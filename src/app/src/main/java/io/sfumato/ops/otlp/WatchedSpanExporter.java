// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Another exporter, whose failures are watched. */
record WatchedSpanExporter(SpanExporter exporter, CollectorWatch watch) implements SpanExporter {
  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    return watch.watch(exporter.export(spans));
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
