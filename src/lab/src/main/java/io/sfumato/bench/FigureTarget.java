// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.util.Map;
import java.util.Optional;

/**
 * What a figure should be. Reported beside what it is, never enforced: machines differ.
 *
 * @param atLeast whether larger is better
 * @param bound of the figure
 */
record FigureTarget(boolean atLeast, double bound) {
  /** What a figure of latency includes: the commit interval of a pipeline and a quarter second. */
  private static final double LATENCY_MILLIS = 250 + 100;

  private static final Map<String, FigureTarget> OF =
      Map.ofEntries(
          Map.entry("pipeline_over_bare_20k", atLeast(1.2)),
          Map.entry("pipeline_over_bare_1m", atLeast(1.2)),
          Map.entry("pipeline_over_memory_20k", atLeast(0.8)),
          Map.entry("pipeline_over_memory_1m", atLeast(0.8)),
          Map.entry("eos_over_alos", atLeast(0.9)),
          Map.entry("price_1m_over_10k", atMost(1.2)),
          Map.entry("release_over_bare_scan", atLeast(0.7)),
          Map.entry("release_longest_poll_gap_ms", atMost(1000)),
          Map.entry("release_latency_p99_ms", atMost(LATENCY_MILLIS)),
          Map.entry("dirichlet_draw_over_commons_rng", atMost(1.3)),
          Map.entry("ledger_bytes", atMost(32)),
          Map.entry("dataset_bytes", atMost(48)),
          Map.entry("restore_subjects_per_second", atLeast(300_000)),
          Map.entry("mean_over_count", atLeast(0.9)),
          Map.entry("quantile_over_count", atLeast(0.7)),
          Map.entry("json_schema_over_json", atLeast(0.9)),
          Map.entry("protobuf_over_json", atLeast(1)),
          Map.entry("filter_of_half_over_all", atLeast(1.2)),
          Map.entry("ids_over_none", atLeast(0.85)),
          Map.entry("local_days_over_utc", atLeast(0.98)),
          Map.entry("names_over_bare", atLeast(0.8)),
          Map.entry("names_peak_resident_mib", atMost(4096)),
          Map.entry("items_projection_draw_ms", atMost(3)));

  static Optional<FigureTarget> of(String figure) {
    return Optional.ofNullable(OF.get(figure));
  }

  private static FigureTarget atLeast(double bound) {
    return new FigureTarget(true, bound);
  }

  private static FigureTarget atMost(double bound) {
    return new FigureTarget(false, bound);
  }

  boolean isMetBy(double value) {
    return atLeast ? value >= bound : value <= bound;
  }

  @Override
  public String toString() {
    return (atLeast ? ">= " : "<= ") + Report.shown(bound);
  }
}
