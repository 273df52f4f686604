// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WindowTraceTest {
  /** Whoever computes them elsewhere, or after an upgrade, finds the same trace. */
  @Test
  void shouldHaveTheIdsThatEarlierVersionsGave() {
    WindowTrace trace = WindowTrace.of("diary", "wellness", 3, 1_767_225_600_000L);
    assertThat(trace).isEqualTo(WindowTrace.of("diary", "wellness", 3, 1_767_225_600_000L));
    assertThat(trace.traceId()).isEqualTo("d10156a852fde0c2c806e3a7aeb9c83f");
    assertThat(trace.spanId()).isEqualTo("6ac09b926889d03a");
    assertThat(TraceId.isValid(trace.traceId())).isTrue();
    assertThat(SpanId.isValid(trace.spanId())).isTrue();
  }

  @Test
  void shouldDependOnEachFactThatNamesAWindow() {
    Set<String> ids = new HashSet<>();
    for (String pipeline : List.of("a", "b")) {
      for (String budget : List.of("a", "b")) {
        for (int partition : List.of(0, 1)) {
          for (long start : List.of(0L, 1L)) {
            WindowTrace trace = WindowTrace.of(pipeline, budget, partition, start);
            ids.add(trace.traceId());
            ids.add(trace.spanId());
            ids.add(trace.child("closed"));
            ids.add(trace.child("drawn"));
          }
        }
      }
    }
    assertThat(ids).hasSize(4 * 16);
  }
}
