// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.runtime.PipelineRun;
import java.util.Optional;

/** What the clients of an instance measure, summed over its threads. */
final class ClientMetrics {
  private ClientMetrics() {}

  /** Whether records wait to be read. */
  static boolean recordsWait(Optional<PipelineRun> run) {
    return sum(run, "consumer-fetch-manager-metrics", "records-lag") > 0;
  }

  /** Records processed since the start. */
  static double processed(Optional<PipelineRun> run) {
    return sum(run, "stream-thread-metrics", "process-total");
  }

  private static double sum(Optional<PipelineRun> run, String group, String name) {
    return run.flatMap(PipelineRun::streams).stream()
        .flatMap(streams -> streams.metrics().values().stream())
        .filter(m -> m.metricName().group().equals(group) && m.metricName().name().equals(name))
        .map(metric -> metric.metricValue())
        .mapToDouble(value -> value instanceof Double number && !number.isNaN() ? number : 0)
        .sum();
  }
}
