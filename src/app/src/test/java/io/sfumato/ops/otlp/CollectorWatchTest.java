// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorWatchTest {
  private final List<String> lines = new ArrayList<>();
  private final CollectorWatch watch =
      new CollectorWatch("http://collector:4318", lines::add, lines::add);

  @Test
  void shouldSayOnceThatACollectorFailsAndOnceThatItIsBack() {
    watch.ended(true, "");
    assertThat(lines).isEmpty();
    watch.ended(false, "HTTP status 503");
    watch.ended(false, "no connection");
    assertThat(lines)
        .containsExactly(
            "the OpenTelemetry collector at http://collector:4318 does not take exports (HTTP status 503). Metrics and traces are dropped until it does; the pipeline goes on");
    watch.ended(true, "");
    watch.ended(true, "");
    assertThat(lines)
        .hasSize(2)
        .last()
        .isEqualTo("the OpenTelemetry collector at http://collector:4318 takes exports again");
    watch.ended(false, "no connection");
    assertThat(lines).hasSize(3);
  }

  /** Its own words may quote a header or an answer. */
  @Test
  void shouldNameKindsOfFailuresAlone() {
    assertThat(CollectorWatch.reason(new IOException("canary", new ConnectException("canary"))))
        .isEqualTo("no connection");
    assertThat(CollectorWatch.reason(new HttpTimeoutException("canary")))
        .isEqualTo("no answer in time");
    assertThat(
            CollectorWatch.reason(new IOException("canary", new IllegalStateException("canary"))))
        .isEqualTo("IllegalStateException");
    assertThat(CollectorWatch.reason(null)).isEqualTo("the export failed");
  }
}
