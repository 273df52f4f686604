// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.opentelemetry.sdk.trace.IdGenerator;

/** Gives a span the ids that were set for it in the same thread: none is random. */
final class GivenIds implements IdGenerator {
  private final ThreadLocal<WindowTrace> next = new ThreadLocal<>();

  /** The next span of this thread has these ids. */
  void set(String traceId, String spanId) {
    next.set(new WindowTrace(traceId, spanId));
  }

  @Override
  public String generateSpanId() {
    return next.get().spanId();
  }

  @Override
  public String generateTraceId() {
    return next.get().traceId();
  }
}
