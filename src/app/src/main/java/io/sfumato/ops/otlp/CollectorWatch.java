// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.http.HttpTimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line when a collector stops taking exports, and one when it takes them again. */
final class CollectorWatch {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorWatch.class);

  private final String address;
  private final Consumer<String> failed;
  private final Consumer<String> recovered;
  private boolean failing;

  /**
   * @param address of the collector, without anything secret
   */
  CollectorWatch(String address) {
    this(address, LOG::warn, LOG::info);
  }

  CollectorWatch(String address, Consumer<String> failed, Consumer<String> recovered) {
    this.address = address;
    this.failed = failed;
    this.recovered = recovered;
  }

  /** Waits for the end of an export, and says what is news. */
  CompletableResultCode watch(CompletableResultCode export) {
    return export.whenComplete(
        () -> ended(export.isSuccess(), reason(export.getFailureThrowable())));
  }

  synchronized void ended(boolean success, String reason) {
    if (success && failing) {
      recovered.accept("the OpenTelemetry collector at %s takes exports again".formatted(address));
    } else if (!success && !failing) {
      failed.accept(
          "the OpenTelemetry collector at %s does not take exports (%s). Metrics and traces are dropped until it does; the pipeline goes on"
              .formatted(address, reason));
    }
    failing = !success;
  }

  /** What a collector answers may quote what it was sent: only the status and the kind. */
  static String reason(Throwable thrown) {
    if (thrown instanceof HttpExportException http && http.getResponse() != null) {
      return "HTTP status " + http.getResponse().getStatusCode();
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpTimeoutException) {
        return "no answer in time";
      }
      if (cause instanceof java.net.ConnectException) {
        return "no connection";
      }
    }
    Throwable root = thrown;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root == null ? "the export failed" : root.getClass().getSimpleName();
  }
}
