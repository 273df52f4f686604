// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MergedMetricsTest {
  @Test
  void shouldPutSeriesOfOneMetricTogether() {
    String a =
        """
        # HELP sfumato_ready 1 if ready
        # TYPE sfumato_ready gauge
        sfumato_ready{pipeline="a"} 1.0
        # HELP sfumato_records_total Records
        # TYPE sfumato_records_total counter
        sfumato_records_total{pipeline="a"} 7.0
        """;
    String b =
        """
        # HELP sfumato_records_total Records
        # TYPE sfumato_records_total counter
        sfumato_records_total{pipeline="b"} 9.0
        # HELP jvm_threads Threads
        # TYPE jvm_threads gauge
        jvm_threads 40.0
        """;
    assertThat(MergedMetrics.of(List.of(a, b)))
        .isEqualTo(
            """
            # HELP sfumato_ready 1 if ready
            # TYPE sfumato_ready gauge
            sfumato_ready{pipeline="a"} 1.0
            # HELP sfumato_records_total Records
            # TYPE sfumato_records_total counter
            sfumato_records_total{pipeline="a"} 7.0
            sfumato_records_total{pipeline="b"} 9.0
            # HELP jvm_threads Threads
            # TYPE jvm_threads gauge
            jvm_threads 40.0
            """);
  }

  @Test
  void shouldLeaveOneTextAsItIs() {
    String only = "# HELP a A\n# TYPE a gauge\na 1.0\na{x=\"y\"} 2.0\n";
    assertThat(MergedMetrics.of(List.of(only))).isEqualTo(only);
  }
}
