// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.console.Progress;
import io.sfumato.runtime.OpenFiles;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.StateSize;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/** The part "scale": sizes in turn, a model of their costs, and what it says of larger ones. */
final class ScalePart {
  private static final String MICROS = "; microseconds of a processor, own threads";

  private final Arena arena;
  private final Bench.Scope scope;
  private final PrintStream progress;
  private final Report report;

  ScalePart(Arena arena, Bench.Scope scope, PrintStream progress, Report report) {
    this.arena = arena;
    this.scope = scope;
    this.progress = progress;
    this.report = report;
  }

  void run() throws RefusedException, InterruptedException {
    List<ScaleSample> samples = samples();
    CostModel own = CostModel.fit(samples, MeterReading::own);
    CostModel rest = CostModel.fit(samples, MeterReading::rest);
    Spread error =
        Spread.of(
            samples.stream()
                .filter(sample -> sample.used().own() > 0)
                .map(sample -> own.of(sample) / sample.used().own())
                .toList());
    report.figure("scale_model_over_measured", error);
    double restored = restored();
    double openBytes =
        StateSize.ofOpenDataset(
            BenchPipeline.histogram("scale", "scale", Workload.WINDOW_MILLIS, 1),
            Workload.subject(1));
    report.say("model of scale", new ScaleForecast(own, rest, restored, openBytes).lines());
  }

  private List<ScaleSample> samples() throws RefusedException, InterruptedException {
    boolean full = scope.extent() == Bench.Extent.FULL;
    int[] partitions =
        switch (scope.extent()) {
          case TRIAL -> new int[] {1, 4};
          case QUICK -> new int[] {2, 8};
          case FULL -> affordable(2, 16, 64, 256);
        };
    int[] threads = full ? new int[] {1, 2, 4} : new int[] {1, 2};
    int events = full ? Math.max(1, scope.events() / 10) : scope.events();
    ScaleBench bench =
        new ScaleBench(
            arena,
            new ScaleBench.Size(
                events, Math.max(1, events / 5), full ? 5 : 3, Duration.ofSeconds(full ? 5 : 1)));
    List<ScaleSample> all = new ArrayList<>();
    try (Progress bar =
        new Progress(progress, "scale", 1L + (long) partitions.length * threads.length)) {
      // Warms up, and does not count.
      bench.run(partitions[0], threads[0]);
      bar.step();
      for (int count : partitions) {
        for (int streams : threads) {
          List<ScaleSample> found = bench.run(count, streams);
          describe(found);
          progress.println(line(found));
          all.addAll(found);
          bar.step();
        }
      }
    }
    compare(all, partitions, threads);
    return all;
  }

  /** A broker and an instance in one process keep some sixty files open for each partition. */
  private int[] affordable(int... partitions) {
    long files = OpenFiles.limit().orElse(Long.MAX_VALUE);
    int[] fit = IntStream.of(partitions).filter(number -> 60L * number <= files).toArray();
    if (fit.length < partitions.length) {
      report.say(
          "sizes left out",
          List.of(
              "%d partitions, as this process may open %d files (ulimit -n)"
                  .formatted(partitions[fit.length], files)));
    }
    return fit;
  }

  /** What was measured at one size. */
  private void describe(List<ScaleSample> samples) {
    ScaleSample any = samples.get(0);
    String size = "scale: %d partitions, %d thread(s)".formatted(any.partitions(), any.threads());
    Map<String, List<Double>> micros = new LinkedHashMap<>();
    Map<String, List<Double>> sent = new LinkedHashMap<>();
    for (ScaleSample sample : samples) {
      double units = units(sample);
      String unit = unit(sample);
      MeterReading used = sample.used();
      micros.put(unit, List.of(1e6 * used.own() / units));
      micros.put(unit + ", everything else", List.of(1e6 * used.rest() / units));
      micros.put(unit + ", on the clock", List.of(1e6 * used.seconds() / units));
      used.records().forEach((kind, number) -> put(sent, unit + ", " + name(kind), number / units));
      used.bytes()
          .forEach((kind, number) -> put(sent, unit + ", bytes " + name(kind), number / units));
      put(sent, unit + ", transaction markers", used.markers() / units);
    }
    report.measured(size + MICROS, micros);
    report.measured(size + "; sent", sent);
  }

  private static void put(Map<String, List<Double>> sent, String name, double value) {
    if (value > 0) {
      sent.put(name, List.of(value));
    }
  }

  private static String name(MeterReading.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static double units(ScaleSample sample) {
    return switch (sample.phase()) {
      case RECORDS -> sample.events();
      case RELEASES -> sample.releases();
      case WINDOWS, JUMPS -> sample.windows();
      case IDLE -> sample.used().seconds();
    };
  }

  private static String unit(ScaleSample sample) {
    return switch (sample.phase()) {
      case RECORDS -> "a record";
      case RELEASES -> "a release";
      case WINDOWS -> "an empty window";
      case JUMPS -> "one of many windows at once";
      case IDLE -> "an idle second";
    };
  }

  /** A long run says how far it is, and what it has found. */
  private static String line(List<ScaleSample> samples) {
    StringBuilder line =
        new StringBuilder(
            "%d partitions, %d threads; own microseconds:"
                .formatted(samples.get(0).partitions(), samples.get(0).threads()));
    for (ScaleSample sample : samples) {
      line.append(
          String.format(
              Locale.ROOT, " %s %,.1f;", unit(sample), 1e6 * sample.used().own() / units(sample)));
    }
    return line.toString();
  }

  /** The largest size over the smallest. */
  private void compare(List<ScaleSample> samples, int[] partitions, int[] threads) {
    int most = partitions[partitions.length - 1];
    int many = threads[threads.length - 1];
    for (ScaleSample.Phase phase : ScaleSample.Phase.values()) {
      String name = "scale_" + phase.name().toLowerCase(Locale.ROOT);
      double least = cost(samples, phase, partitions[0], threads[0]);
      report.figure(
          "%s_%d_over_%d_partitions".formatted(name, most, partitions[0]),
          cost(samples, phase, most, threads[0]) / least);
      report.figure(
          "%s_%d_over_%d_threads".formatted(name, many, threads[0]),
          cost(samples, phase, partitions[0], many) / least);
    }
  }

  private static double cost(
      List<ScaleSample> samples, ScaleSample.Phase phase, int partitions, int threads) {
    ScaleSample found =
        samples.stream()
            .filter(
                sample ->
                    sample.phase() == phase
                        && sample.partitions() == partitions
                        && sample.threads() == threads)
            .findFirst()
            .orElseThrow();
    return found.used().own() / units(found);
  }

  /** Ledgers a second, from the slope of the time over their number. */
  private double restored() throws RefusedException, InterruptedException {
    int[] ledgers =
        switch (scope.extent()) {
          case TRIAL -> new int[] {100, 1_000};
          case QUICK -> new int[] {1_000, 10_000};
          case FULL -> new int[] {10_000, 100_000, 1_000_000};
        };
    SimpleRegression time = new SimpleRegression();
    Map<String, List<Double>> found = new LinkedHashMap<>();
    try (Progress bar = new Progress(progress, "restore of ledgers", ledgers.length)) {
      for (int number : ledgers) {
        RestoreBench.Restored restored = new RestoreBench(arena, number).ledgers();
        time.addData(number, restored.seconds());
        found.put("%,d ledgers, seconds".formatted(number), List.of(restored.seconds()));
        found.put(
            "%,d ledgers, records a second".formatted(number),
            List.of(restored.records() / restored.seconds()));
        bar.step();
      }
    }
    report.measured("restore of live ledgers into an empty folder", found);
    // On a busy machine the few of a quick run may take as long as the many.
    double rate = 1 / Math.max(time.getSlope(), 1e-9);
    report.figure("scale_ledgers_restored_per_second", rate);
    return rate;
  }
}
