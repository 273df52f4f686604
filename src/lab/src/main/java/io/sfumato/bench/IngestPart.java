// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.console.Progress;
import io.sfumato.runtime.RefusedException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** How many events a second the pipeline takes in, beside bare topologies. */
final class IngestPart {
  private static final int SMALL = 20_000;
  private static final int SMALLEST = 10_000;

  private final Arena arena;
  private final Bench.Scope scope;
  private final PrintStream progress;
  private final Report report;
  private final Rounds rounds;

  /**
   * @param progress where the way is shown
   * @param report where figures go
   */
  IngestPart(Arena arena, Bench.Scope scope, PrintStream progress, Report report) {
    this.arena = arena;
    this.scope = scope;
    this.progress = progress;
    this.report = report;
    this.rounds = scope.inTurn(1);
  }

  void run() throws RefusedException, InterruptedException {
    Alternative pipeline = PipelineAlternative.exactlyOnce();
    Alternative atLeastOnce = PipelineAlternative.atLeastOnce();
    Alternative bare = BareAlternative.rocksDb();
    Alternative memory = BareAlternative.memory();
    Alternative cached = BareAlternative.cached();
    Alternative direct = BareAlternative.direct();
    List<Alternative> all =
        scope.extent() == Bench.Extent.FULL
            ? List.of(pipeline, bare, memory, atLeastOnce, cached, direct)
            : List.of(pipeline, bare, memory, atLeastOnce);
    Map<String, List<Double>> small = ingest(SMALL, Workload.Activity.UNIFORM, 1, all);
    compare("pipeline_over_bare_20k", small, pipeline, bare);
    compare("pipeline_over_memory_20k", small, pipeline, memory);
    compare("eos_over_alos", small, pipeline, atLeastOnce);
    if (scope.extent() != Bench.Extent.FULL) {
      return;
    }
    compare("pipeline_over_cached_20k", small, pipeline, cached);
    compare("pipeline_over_direct_20k", small, pipeline, direct);
    List<Alternative> two = List.of(pipeline, bare);
    List<Alternative> three = List.of(pipeline, bare, memory);
    Map<String, List<Double>> large = ingest(Bench.LARGE, Workload.Activity.UNIFORM, 1, three);
    compare("pipeline_over_bare_1m", large, pipeline, bare);
    compare("pipeline_over_memory_1m", large, pipeline, memory);
    Map<String, List<Double>> least = ingest(SMALLEST, Workload.Activity.UNIFORM, 1, two);
    report.figure(
        "price_1m_over_10k",
        Spread.ofRatios(least.get(pipeline.name()), large.get(pipeline.name())));
    report.figure(
        "bare_price_1m_over_10k", Spread.ofRatios(least.get(bare.name()), large.get(bare.name())));
    compare(
        "pipeline_over_bare_20k_zipf",
        ingest(SMALL, Workload.Activity.ZIPF, 1, two),
        pipeline,
        bare);
    compare(
        "pipeline_over_bare_1m_zipf",
        ingest(Bench.LARGE, Workload.Activity.ZIPF, 1, two),
        pipeline,
        bare);
    compare(
        "pipeline_closing_over_bare_20k",
        ingest(SMALL, Workload.Activity.UNIFORM, 10, two),
        pipeline,
        bare);
  }

  private Map<String, List<Double>> ingest(
      int subjects, Workload.Activity activity, int windows, List<Alternative> alternatives)
      throws RefusedException, InterruptedException {
    Workload workload = new Workload(scope.events(), subjects, activity, windows);
    String name =
        "ingest of %,d events, %,d subjects, %s, %d window(s); events a second"
            .formatted(scope.events(), subjects, activity.name().toLowerCase(), windows);
    long laps = (long) alternatives.size() * rounds.laps();
    try (Progress bar = new Progress(progress, "ingest " + workload.topic(), laps)) {
      Map<String, List<Double>> found =
          new IngestBench(arena, workload, alternatives).run(rounds, bar::step);
      report.measured(name, found);
      return found;
    }
  }

  private void compare(
      String figure, Map<String, List<Double>> measured, Alternative one, Alternative other) {
    report.figure(figure, Spread.ofRatios(measured.get(one.name()), measured.get(other.name())));
  }
}
