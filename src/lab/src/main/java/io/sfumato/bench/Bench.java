// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.console.Progress;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.StateSize;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Measures the pipeline beside what it is compared with. */
public final class Bench {
  static final int LARGE = 1_000_000;

  /** Files of topics that were deleted would stay open for a minute. */
  private static final Map<String, String> BROKER = Map.of("log.segment.delete.delay.ms", "1000");

  private final Scope scope;
  private final PrintStream progress;
  private final Report report;
  private final Rounds rounds;

  /**
   * @param progress where the way is shown
   */
  public Bench(Scope scope, PrintStream progress) {
    this.scope = scope;
    this.progress = progress;
    this.rounds = scope.inTurn(1);
    this.report = new Report(scope.rounds());
  }

  /** Parts that can be run alone. */
  public enum Part {
    INGEST,
    RELEASE,
    LATENCY,
    DRAW,
    SIZE,
    RESTORE,
    QUERIES,
    ITEMS,
    NUMBERS,
    INPUTS,
    NAMES,
    SCALE,
    START
  }

  /** How far the parts go. */
  public enum Extent {
    /** That every part runs, in a minute; its figures say nothing. */
    TRIAL,
    /** The figures of 20,000 subjects only. */
    QUICK,
    FULL;

    /** Seconds in which latency is watched. */
    private int windows() {
      return switch (this) {
        case TRIAL -> 1;
        case QUICK -> 12;
        case FULL -> 60;
      };
    }

    /** Rounds before those that count. */
    private int warming() {
      return this == TRIAL ? 0 : 1;
    }

    /** How often something short is repeated for one figure, of how often it is usually. */
    int repeats(int usual) {
      return this == TRIAL ? Math.max(1, usual / 50) : usual;
    }

    /** Subjects whose items are made. */
    private int items() {
      return this == TRIAL ? 20 : 2_000;
    }
  }

  /**
   * How much is measured.
   *
   * @param extent how far each part goes
   * @param rounds runs of each alternative, at least 1
   * @param events of a workload, at least 1
   * @param brokers 0 for one in this process, else the number of processes, odd
   * @param parts what is measured
   */
  public record Scope(Extent extent, int rounds, int events, int brokers, Set<Part> parts) {
    /** The figures that matter, in a few minutes. */
    public static Scope ofQuick() {
      return new Scope(
          Extent.QUICK,
          3,
          200_000,
          0,
          Set.of(Part.INGEST, Part.RELEASE, Part.LATENCY, Part.DRAW, Part.SIZE));
    }

    /**
     * Rounds of alternatives.
     *
     * @param times as many as usual, where each is short
     */
    Rounds inTurn(int times) {
      return new Rounds(extent.warming(), extent.repeats(times) * rounds);
    }

    /** Everything; takes hours. */
    public static Scope ofFull() {
      return new Scope(Extent.FULL, 5, 2_000_000, 0, Set.of(Part.values()));
    }
  }

  /** Measures in a folder that is empty or new. */
  public Report run(Path folder) throws RefusedException, InterruptedException {
    if (scope.brokers() == 0) {
      try (EmbeddedBroker broker =
          EmbeddedBroker.start(folder.resolve("broker"), EmbeddedBroker.freePort(), BROKER)) {
        run(broker.bootstrapServers(), folder);
      }
    } else {
      try (ForkedCluster cluster = ForkedCluster.start(folder, scope.brokers())) {
        run(cluster.bootstrapServers(), folder);
      }
    }
    return report;
  }

  private void run(String servers, Path folder) throws RefusedException, InterruptedException {
    Arena arena =
        new Arena(
            KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.of(servers)),
            folder);
    if (scope.parts().contains(Part.SIZE)) {
      sizes();
    }
    if (scope.parts().contains(Part.DRAW)) {
      draws();
    }
    if (scope.parts().contains(Part.INGEST)) {
      new IngestPart(arena, scope, progress, report).run();
    }
    if (scope.parts().contains(Part.RELEASE)) {
      releases(arena);
    }
    if (scope.parts().contains(Part.LATENCY)) {
      latency(arena);
    }
    if (scope.parts().contains(Part.RESTORE)) {
      restore(arena);
    }
    if (scope.parts().contains(Part.QUERIES)) {
      queries(arena);
    }
    if (scope.parts().contains(Part.ITEMS)) {
      items(arena);
    }
    if (scope.parts().contains(Part.NUMBERS)) {
      numbers(arena);
    }
    if (scope.parts().contains(Part.INPUTS)) {
      inputs(arena);
    }
    if (scope.parts().contains(Part.NAMES)) {
      new NamesPart(arena, scope, progress, report).run();
    }
    if (scope.parts().contains(Part.SCALE)) {
      new ScalePart(arena, scope, progress, report).run();
    }
    if (scope.parts().contains(Part.START)) {
      starts(arena, folder);
    }
  }

  private void starts(Arena arena, Path folder) throws RefusedException, InterruptedException {
    Path home = Path.of(System.getProperty("sfumato.home", ".")).toAbsolutePath();
    StartBench bench = new StartBench(arena, home, folder);
    long laps = (long) bench.alternatives() * rounds.laps();
    try (Progress bar = new Progress(progress, "starts", laps)) {
      report.measured("short commands; seconds each", bench.run(rounds, bar::step));
    }
  }

  private void sizes() {
    report.figure("ledger_bytes", StateSize.ofLedger(1_000));
    SplittableRandom random = new SplittableRandom(2);
    int datasets = 10_000;
    long bytes = 0;
    for (int i = 0; i < datasets; i++) {
      bytes += StateSize.ofDataset(DrawBench.histogram(random));
    }
    report.figure("dataset_bytes", (double) bytes / datasets);
  }

  private void draws() throws RefusedException, InterruptedException {
    Rounds many = scope.inTurn(4);
    Map<String, List<Double>> nanos;
    try (Progress bar = new Progress(progress, "draws", 3L * many.laps())) {
      nanos = new DrawBench(scope.extent()).run(many, bar::step);
    }
    report.measured("Dirichlet draw, d = 32, nanoseconds", nanos);
    report.figure(
        "dirichlet_draw_over_commons_rng",
        Spread.ofRatios(nanos.get("keyed stream"), nanos.get("commons-rng")));
  }

  private void releases(Arena arena) throws RefusedException, InterruptedException {
    int subjects = scope.extent() == Extent.FULL ? LARGE : scope.events() / 4;
    ReleaseBench bench = new ReleaseBench(arena, subjects);
    try (Progress bar = new Progress(progress, "releases", 3L * rounds.laps())) {
      Map<String, List<Double>> found = bench.run(rounds, bar::step);
      report.measured("releases of %,d subjects; subjects a second".formatted(subjects), found);
      report.figure(
          "release_over_bare_scan",
          Spread.ofRatios(found.get(ReleaseBench.PIPELINE), found.get(ReleaseBench.GREEDY)));
      report.figure(
          "release_over_bare_scan_in_turns",
          Spread.ofRatios(found.get(ReleaseBench.PIPELINE), found.get(ReleaseBench.IN_TURNS)));
    }
    report.figure("release_longest_poll_gap_ms", bench.longestGap(ReleaseBench.PIPELINE));
    report.figure("bare_scan_longest_poll_gap_ms", bench.longestGap(ReleaseBench.GREEDY));
    report.figure(
        "bare_scan_in_turns_longest_poll_gap_ms", bench.longestGap(ReleaseBench.IN_TURNS));
  }

  private void latency(Arena arena) throws RefusedException, InterruptedException {
    double[] millis = new LatencyBench(arena, scope.extent()).run(scope.extent().windows());
    report.figure("release_latency_p50_ms", millis[0]);
    report.figure("release_latency_p99_ms", millis[1]);
    report.figure("release_latency_max_ms", millis[2]);
  }

  private void restore(Arena arena) throws RefusedException, InterruptedException {
    List<Double> found = new ArrayList<>();
    try (Progress bar = new Progress(progress, "restore", rounds.number())) {
      for (int round = 0; round < rounds.number(); round++) {
        found.add(new RestoreBench(arena, LARGE).run());
        bar.step();
      }
    }
    report.figure("restore_subjects_per_second", Spread.of(found));
  }

  private void queries(Arena arena) throws RefusedException, InterruptedException {
    try (Progress bar = new Progress(progress, "queries", rounds.laps())) {
      report.measured(
          "queries of 1,000 candidates, m = 100; candidates a second",
          new QueryBench(arena, scope.extent()).run(rounds, bar::step));
    }
  }

  private void numbers(Arena arena) throws RefusedException, InterruptedException {
    try (Progress bar = new Progress(progress, "numbers", 3L * rounds.laps())) {
      Map<String, List<Double>> found =
          new NumbersBench(arena, scope.events()).run(rounds, bar::step);
      report.measured(
          "a population's window of %,d events, to its last release; events a second"
              .formatted(scope.events()),
          found);
      List<Double> count = found.get(NumbersBench.COUNT);
      report.figure("mean_over_count", Spread.ofRatios(found.get(NumbersBench.MEAN), count));
      report.figure(
          "quantile_over_count", Spread.ofRatios(found.get(NumbersBench.QUANTILE), count));
    }
  }

  private void inputs(Arena arena) throws RefusedException, InterruptedException {
    try (Progress bar = new Progress(progress, "inputs", 6L * rounds.laps())) {
      Map<String, List<Double>> found =
          new InputsBench(arena, scope.events()).run(rounds, bar::step);
      report.measured(
          "a day of %,d users' events, counted, to its last release; events a second"
              .formatted(scope.events()),
          found);
      List<Double> json = found.get(InputsBench.JSON);
      InputsBench.FIGURES.forEach(
          (kind, name) -> report.figure(name, Spread.ofRatios(found.get(kind), json)));
    }
  }

  private void items(Arena arena) throws RefusedException, InterruptedException {
    try (Progress bar = new Progress(progress, "items", 3L * rounds.laps())) {
      Map<String, List<Double>> found =
          new ItemBench(arena, scope.extent().items()).run(rounds, bar::step);
      report.measured("private items, two a subject; items a second", found);
      found.forEach(
          (kind, each) -> report.figure("items_" + kind + "_per_second", Spread.of(each)));
    }
    Rounds many = scope.inTurn(4);
    try (Progress bar = new Progress(progress, "projection", 3L * many.laps())) {
      Map<String, List<Double>> found = new ProjectionBench(scope.extent()).run(many, bar::step);
      report.measured("items by projection, a pool of 4,096; milliseconds", found);
      report.figure("items_projection_draw_ms", Spread.of(found.get(ProjectionBench.DRAW)));
    }
  }
}
