// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.console.Progress;
import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.runtime.RefusedException;
import io.sfumato.workload.NameCounting;
import io.sfumato.workload.NameReport;
import io.sfumato.workload.NameSetting;
import io.sfumato.workload.NameTruth;
import io.sfumato.workload.NameWorkload;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The part "names": a published comparison's stream through a pipeline on a broker, beside bare
 * counting; and what was published of it, beside the library's draws of the same stream.
 */
final class NamesPart {
  static final String PIPELINE = "pipeline";

  /** Names of one user count once, and are tested after every tenth window. */
  static final NameSetting SETTING = new NameSetting(1, 10);

  /** Those of the run that warms up. */
  private static final int WARM_USERS = 20_000;

  private static final double MIB = 1 << 20;

  private final Arena arena;
  private final Bench.Scope scope;
  private final PrintStream progress;
  private final Report report;
  private final int users;

  /**
   * @param progress where the way is shown
   * @param report where figures go
   */
  NamesPart(Arena arena, Bench.Scope scope, PrintStream progress, Report report) {
    this.arena = arena;
    this.scope = scope;
    this.progress = progress;
    this.report = report;
    this.users =
        (int)
            Math.max(
                1,
                Math.min(
                    NameSetting.ALL_USERS,
                    Math.round(
                        (double) scope.events()
                            / NameSetting.ALL_RECORDS
                            * NameSetting.ALL_USERS)));
  }

  void run() throws RefusedException, InterruptedException {
    if (scope.extent() != Bench.Extent.TRIAL) {
      measure(Math.min(WARM_USERS, users), 1);
    }
    Measured measured = measure(users, scope.rounds());
    String name =
        "names of %s with %,d records over %d windows; events a second"
            .formatted(sample(), measured.events(), NameSetting.WINDOWS);
    Map<String, List<Double>> onTheWall = of(measured, NamesBench.Speed::perSecond);
    Map<String, List<Double>> ofProcessors = of(measured, NamesBench.Speed::perProcessorSecond);
    report.measured(name, onTheWall);
    report.measured(name + " of a processor", ofProcessors);
    compare("names_over_bare", onTheWall, BareAlternative.rocksDb());
    compare("names_over_bare_by_name", onTheWall, BareAlternative.ofCategories());
    compare("names_over_bare_by_processor", ofProcessors, BareAlternative.rocksDb());
    compare("names_over_bare_by_name_by_processor", ofProcessors, BareAlternative.ofCategories());
    memory(measured.runs());
    say(measured.runs());
  }

  private String sample() {
    return users == NameSetting.ALL_USERS
        ? "all %,d users".formatted(users)
        : "a sample of %,d of %,d users".formatted(users, NameSetting.ALL_USERS);
  }

  private void compare(String figure, Map<String, List<Double>> speeds, Alternative bare) {
    report.figure(figure, Spread.ofRatios(speeds.get(PIPELINE), speeds.get(bare.name())));
  }

  private static Map<String, List<Double>> of(
      Measured measured, Function<NamesBench.Speed, Double> speed) {
    Map<String, List<Double>> found = new LinkedHashMap<>();
    measured.speeds().forEach((name, each) -> found.put(name, each.stream().map(speed).toList()));
    return found;
  }

  /** Runs of all alternatives. */
  private record Measured(
      long events, Map<String, List<NamesBench.Speed>> speeds, List<NamesBench.Pipeline> runs) {}

  private Measured measure(int ofUsers, int rounds) throws RefusedException, InterruptedException {
    NameWorkload workload = new NameWorkload(ofUsers, NameSetting.WINDOWS);
    NameStream stream;
    try (Progress bar = new Progress(progress, "users of names", ofUsers)) {
      stream = NameStream.make(workload, arena.folder(arena.newId("names-stream")), bar::at);
    }
    Map<String, List<NamesBench.Speed>> speeds = new LinkedHashMap<>();
    List<NamesBench.Pipeline> runs = new ArrayList<>();
    NamesBench bench = new NamesBench(arena, SETTING, stream, progress);
    try {
      for (int round = 0; round < rounds; round++) {
        runs.add(bench.pipeline());
        add(speeds, PIPELINE, runs.get(round).speed());
        for (Alternative bare :
            List.of(BareAlternative.rocksDb(), BareAlternative.ofCategories())) {
          add(speeds, bare.name(), bench.bare(bare));
        }
      }
    } finally {
      bench.forget();
    }
    return new Measured(stream.events(), speeds, runs);
  }

  private static void add(
      Map<String, List<NamesBench.Speed>> all, String name, NamesBench.Speed value) {
    all.computeIfAbsent(name, k -> new ArrayList<>()).add(value);
  }

  private void memory(List<NamesBench.Pipeline> runs) {
    List<MemoryWatch.Peak> peaks = runs.stream().map(NamesBench.Pipeline::memory).toList();
    report.figure(
        "names_peak_heap_mib", Spread.of(peaks.stream().map(peak -> peak.heap() / MIB).toList()));
    report.figure(
        "names_peak_rocksdb_mib",
        Spread.of(peaks.stream().map(peak -> peak.stores() / MIB).toList()));
    report.figure(
        "names_peak_resident_mib",
        Spread.of(peaks.stream().map(peak -> peak.resident() / MIB).toList()));
  }

  private void say(List<NamesBench.Pipeline> runs) {
    NameTruth truth =
        new NameTruth(SETTING.bounds(), NameSetting.WINDOWS, NameTruth.First.EARLIEST);
    try (Progress bar = new Progress(progress, "truth of names", users)) {
      new NameWorkload(users, NameSetting.WINDOWS)
          .forEach(
              (user, records) -> {
                truth.next(user, records);
                bar.at(user + 1L);
              });
    }
    List<NameReport> published = runs.stream().map(run -> run.found().report(truth)).toList();
    NameReport last = published.get(published.size() - 1);
    report.figure("names_found", spread(published, NameReport::kept));
    report.figure("names_linf", spread(published, NameReport::mostOfAll));
    report.figure("names_l2", spread(published, NameReport::normOfAll));
    report.figure("names_linf_counted", spread(published, NameReport::mostOfCounted));
    report.figure("names_l2_counted", spread(published, NameReport::normOfCounted));
    report.figure("names_coverage", spread(published, NameReport::covered));
    report.say(
        "names",
        List.of(
            "%s, (%s, %s), at most %d records of a user, %d for one name, tested every %d of %d windows"
                .formatted(
                    sample(),
                    NameSetting.EPSILON,
                    NameSetting.DELTA,
                    NameSetting.RECORDS,
                    SETTING.perName(),
                    SETTING.every(),
                    NameSetting.WINDOWS),
            line("published by the pipeline", last),
            line("drawn by the library", library(truth)),
            NameSetting.PUBLISHED));
  }

  private static Spread spread(List<NameReport> reports, ToDoubleFunction<NameReport> figure) {
    return Spread.of(reports.stream().map(each -> figure.applyAsDouble(each)).toList());
  }

  private static String line(String what, NameReport report) {
    return String.format(
        Locale.ROOT,
        "%-26s %,d names, %,d of them in the first half; L-infinity %,.0f, L2 %,.0f; of what counts %,.0f and %,.0f; 95%% intervals hold %.2f%%",
        what,
        report.kept(),
        report.foundEarly(),
        report.mostOfAll(),
        report.normOfAll(),
        report.mostOfCounted(),
        report.normOfCounted(),
        100 * report.covered());
  }

  /** The same stream, what counts of it, and the same plan, with other noise. */
  private NameReport library(NameTruth truth) {
    RunningDiscovery plan = SETTING.plan();
    NameCounting counting = new NameCounting(plan, new RunningNameBars(plan), truth);
    NameReport drawn = new NameReport();
    try (Progress bar = new Progress(progress, "library of names", NameWorkload.NAMES)) {
      for (int name = 0; name < NameWorkload.NAMES; name++) {
        drawn.add(truth.all(name), truth.counted(name), counting.of(name), NameSetting.WINDOWS / 2);
        bar.step();
      }
    }
    return drawn;
  }
}
