// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What measured prices say of sizes that nobody measured.
 *
 * @param own prices of an instance's own threads
 * @param rest prices of everything else: RocksDB's threads, the collector, brokers
 * @param restored ledgers that an instance restores a second
 * @param openBytes memory of one open dataset
 */
record ScaleForecast(CostModel own, CostModel rest, double restored, double openBytes) {
  private static final List<Scenario> SCENARIOS =
      List.of(
          Scenario.LARGE,
          Scenario.LARGE.commit("commit every second", 1),
          Scenario.LARGE.partitions("64 partitions", 64),
          Scenario.LARGE.instances("64 instances", 64),
          Scenario.LARGE.window("an hour's windows", 3_600),
          Scenario.LARGE.window("", 3_600).commit("an hour's windows, commit every second", 1),
          Scenario.LARGE.window("a minute's windows", 60));

  private static final Map<String, String> MOVED_BY = new LinkedHashMap<>();

  static {
    MOVED_BY.put("records", "more instances or threads");
    MOVED_BY.put("entries", "a longer commit.interval.ms; fewer partitions (squared)");
    MOVED_BY.put(
        "rows", "more instances or threads; a longer commit.interval.ms where subjects repeat");
    MOVED_BY.put("releases", "longer windows; more instances or threads");
    MOVED_BY.put("boundaries", "fewer partitions (squared); longer windows");
    MOVED_BY.put(
        "transactions", "a longer commit.interval.ms; fewer partitions, threads, instances");
    MOVED_BY.put("tasks", "fewer partitions");
    MOVED_BY.put("threads", "fewer instances or threads");
  }

  /** Cores that a scenario keeps busy, by cause. */
  static Map<String, Double> cores(CostModel prices, Scenario s) {
    Map<String, Double> cores = new LinkedHashMap<>();
    cores.put("records", prices.event() * s.perSecond());
    cores.put("entries", prices.entry() * s.entriesPerSecond());
    cores.put("looks", prices.look() * s.looksPerSecond());
    cores.put("rows", prices.row() * s.rowsPerSecond());
    cores.put("releases", prices.release() * s.releasesPerSecond());
    cores.put(
        "boundaries",
        (prices.entry() + Scenario.ROWS_OF_A_BOUNDARY * prices.row()) * s.boundariesPerSecond());
    cores.put("transactions", prices.marker() * s.markersPerSecond());
    cores.put("tasks", prices.taskSecond() * s.tasks());
    cores.put("threads", prices.threadSecond() * s.allThreads());
    return cores;
  }

  /** For people: prices, then one line a scenario, then what is first to break. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("prices, microseconds of a processor: own threads, everything else");
    lines.add(price("a record", own.event(), rest.event()));
    lines.add(price("a release", own.release(), rest.release()));
    lines.add(price("an entry of the journal", own.entry(), rest.entry()));
    lines.add(price("a partition of its producer, each entry", own.look(), rest.look()));
    lines.add(price("a record of a changelog", own.row(), rest.row()));
    lines.add(price("a transaction in a partition", own.marker(), rest.marker()));
    lines.add(price("a task, each second", own.taskSecond(), rest.taskSecond()));
    lines.add(price("a stream thread, each second", own.threadSecond(), rest.threadSecond()));
    Scenario large = Scenario.LARGE;
    lines.add(
        "%,.0f subjects, %,.0f records a second, %d partitions, %d instances of %d threads, commit every %.0f ms"
            .formatted(
                large.subjects(),
                large.perSecond(),
                large.partitions(),
                large.instances(),
                large.threads(),
                large.commit() * 1_000));
    SCENARIOS.forEach(scenario -> lines.addAll(of(scenario)));
    return lines;
  }

  private static String price(String what, double own, double rest) {
    return String.format(Locale.ROOT, "  %-36s %10.3f %10.3f", what, own * 1e6, rest * 1e6);
  }

  private List<String> of(Scenario scenario) {
    Map<String, Double> mine = cores(own, scenario);
    Map<String, Double> others = cores(rest, scenario);
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "  %-38s %.1f of %d threads busy, %.1f cores elsewhere",
            scenario.name(),
            sum(mine),
            scenario.allThreads(),
            sum(others)));
    lines.add(
        "    first to break: threads by " + largest(mine) + ", elsewhere by " + largest(others));
    lines.add("    threads: " + shares(mine) + "; elsewhere: " + shares(others));
    lines.add(
        String.format(
            Locale.ROOT,
            "    %.1f records an entry; a window's releases take %.0f of its %.0f s; open datasets %.0f MiB an instance, all in memory with a heap of %.1f GiB; restore of an instance %.0f s",
            Math.max(1, scenario.perSecond() / scenario.entriesPerSecond()),
            scenario.subjects() * own.release() / scenario.allThreads(),
            scenario.window(),
            scenario.subjectsOfAnInstance() * openBytes / (1 << 20),
            4 * scenario.subjectsOfAnInstance() * openBytes / (1 << 30),
            scenario.subjectsOfAnInstance() / restored));
    return lines;
  }

  private static String largest(Map<String, Double> cores) {
    String cause =
        cores.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return cause + " (" + MOVED_BY.get(cause) + ")";
  }

  private static String shares(Map<String, Double> cores) {
    List<String> parts = new ArrayList<>();
    cores.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .forEach(
            entry ->
                parts.add(String.format(Locale.ROOT, "%s %.2f", entry.getKey(), entry.getValue())));
    return String.join(", ", parts);
  }

  private static double sum(Map<String, Double> cores) {
    return cores.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
