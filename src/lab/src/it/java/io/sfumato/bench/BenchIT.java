// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.cli.CommandResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That everything is measured; not what comes out, which is the machine's affair. */
@Tag("release")
class BenchIT {
  @TempDir Path folder;

  @Test
  void shouldFindEveryFigureOfAQuickRun() throws Exception {
    JsonNode found =
        json(new Bench.Scope(Bench.Extent.TRIAL, 1, 4_000, 0, Bench.Scope.ofQuick().parts()));
    for (String figure :
        List.of(
            "pipeline_over_bare_20k",
            "pipeline_over_memory_20k",
            "eos_over_alos",
            "release_over_bare_scan",
            "release_latency_p99_ms",
            "dirichlet_draw_over_commons_rng",
            "ledger_bytes",
            "dataset_bytes")) {
      assertThat(found.path(figure).isNumber()).as(figure).isTrue();
      assertThat(found.path(figure).asDouble()).as(figure).isPositive().isFinite();
      assertThat(found.path("spread").path(figure).path("least").isNumber()).as(figure).isTrue();
    }
    // Not times, so these are the same everywhere.
    assertThat(found.path("ledger_bytes").asDouble()).isLessThanOrEqualTo(32);
    assertThat(found.path("dataset_bytes").asDouble()).isLessThanOrEqualTo(48);
    assertThat(found.path("machine").path("cores").asInt()).isPositive();
  }

  @Test
  void shouldMeasureQueriesAndItems() throws Exception {
    JsonNode found =
        json(
            new Bench.Scope(
                Bench.Extent.TRIAL,
                1,
                1_000,
                0,
                EnumSet.of(
                    Bench.Part.QUERIES, Bench.Part.ITEMS, Bench.Part.NUMBERS, Bench.Part.INPUTS)));
    for (String figure :
        List.of(
            "items_finite_per_second",
            "items_continuous_per_second",
            "items_projection_per_second",
            "items_projection_draw_ms",
            "mean_over_count",
            "quantile_over_count",
            "json_schema_over_json",
            "protobuf_over_json",
            "filter_of_half_over_all",
            "ids_over_none",
            "local_days_over_utc")) {
      assertThat(found.path(figure).asDouble()).as(figure).isPositive().isFinite();
    }
    JsonNode measured = found.path("measured");
    assertThat(measured).hasSize(5);
    assertThat(measured.path("items by projection, a pool of 4,096; milliseconds").fieldNames())
        .toIterable()
        .containsExactly(
            ProjectionBench.SCORES, ProjectionBench.SCORES_OF_MANY, ProjectionBench.DRAW);
    measured.forEach(
        workload ->
            workload.forEach(
                alternative ->
                    assertThat(alternative.path("median").asDouble()).isPositive().isFinite()));
  }

  /**
   * What is consumed of 16,393 users' names: every count is within eight deviations of its noise,
   * at most 18 records, and no name so far above the highest threshold, 76, was missed. No more
   * than 101,837 names have records, so that the rate of false alarms is below 1e-9.
   */
  @Test
  void shouldFindNamesThroughTheWholePipelineAsTheLibraryDoes() throws Exception {
    JsonNode found =
        json(new Bench.Scope(Bench.Extent.TRIAL, 1, 100_000, 0, EnumSet.of(Bench.Part.NAMES)));
    for (String figure :
        List.of(
            "names_over_bare",
            "names_over_bare_by_name",
            "names_over_bare_by_processor",
            "names_peak_heap_mib",
            "names_peak_resident_mib")) {
      assertThat(found.path(figure).asDouble()).as(figure).isPositive().isFinite();
    }
    assertThat(found.path("names_linf_counted").asDouble()).isBetween(1.0, 76 + 8.0 * 18);
    assertThat(found.path("names_l2").asDouble())
        .isGreaterThan(found.path("names_l2_counted").asDouble());
    assertThat(found.path("names")).hasSize(4);
    assertThat(found.path("names").get(0).asText()).contains("a sample of 16,393 of 10,000,000");
    assertThat(found.path("names").get(1).asText()).contains("published by the pipeline");
  }

  @Test
  void shouldMeasureHowLongShortCommandsTake() throws Exception {
    JsonNode starts =
        json(new Bench.Scope(Bench.Extent.TRIAL, 1, 1_000, 0, EnumSet.of(Bench.Part.START)))
            .path("measured")
            .path("short commands; seconds each");
    assertThat(starts).hasSize(6);
    for (String command : List.of("plan", "tick", "consume", "plan, no archive")) {
      assertThat(starts.path(command).path("median").asDouble()).as(command).isPositive();
    }
  }

  @Test
  void shouldPrintJsonAndNothingElse() throws Exception {
    CommandResult bench = CommandResult.of("bench", "--quick", "--only", "size", "-o", "json");
    assertThat(bench.code()).isZero();
    assertThat(bench.text()).startsWith("{").contains("\"ledger_bytes\" : 5");
    new ObjectMapper().readTree(bench.text());
  }

  private JsonNode json(Bench.Scope scope) throws Exception {
    return json(scope, folder);
  }

  /** What a run measures, without its progress. */
  static JsonNode json(Bench.Scope scope, Path folder) throws Exception {
    PrintStream progress =
        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return new ObjectMapper().readTree(new Bench(scope, progress).run(folder).json());
  }
}
