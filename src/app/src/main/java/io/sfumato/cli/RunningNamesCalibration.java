// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.pipeline.Facts;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** Names that are counted over several windows. */
final class RunningNamesCalibration {
  /** Tests of a block, if nobody says how many windows lie between them. */
  private static final int TESTS = 10;

  @Option(
      names = "--running",
      paramLabel = "T",
      description =
          "Counts run over T windows, 1 to 65536, then start again. Names that are not "
              + "public are tested by their running counts.")
  private Optional<Integer> running = Optional.empty();

  @Option(
      names = "--test-every",
      paramLabel = "E",
      description =
          "With --running: names that are not public are tested at the end of every E-th window; by"
              + " default at most 10 times in all.")
  private Optional<Integer> testEvery = Optional.empty();

  @Option(
      names = "--per-period",
      paramLabel = "C",
      description =
          "With --running: most records of a user that count in the whole period, over all "
              + "windows. --per-name is then of the period too. Replaces --names, --per-window "
              + "and --windows.")
  private Optional<Integer> perPeriod = Optional.empty();

  /** Whether counts run. */
  boolean asked(JsonOrText output) {
    if (running.isEmpty() && (testEvery.isPresent() || perPeriod.isPresent())) {
      throw output.bad(
          "%s: only with --running"
              .formatted(testEvery.isPresent() ? "--test-every" : "--per-period"));
    }
    return running.isPresent();
  }

  /** C of the whole period, where that is bounded. */
  Optional<Integer> perPeriod(JsonOrText output) {
    return perPeriod.map(records -> output.within("--per-period", records, 1, NameBounds.MOST));
  }

  /** When names are tested, where counts run. */
  Optional<TestSchedule> tests(JsonOrText output) {
    return running.map(
        asked -> {
          int windows = output.within("--running", asked, 1, TestSchedule.MOST_WINDOWS);
          int every =
              output.within(
                  "--test-every", testEvery.orElse((windows - 1) / TESTS + 1), 1, windows);
          return output.checked(() -> new TestSchedule(windows, every));
        });
  }

  /** Adds every test's threshold, and the error of names that the last test finds. */
  Facts addTo(Facts facts, RunningDiscovery plan) {
    TestSchedule tests = plan.tests();
    RunningNameBars bars = new RunningNameBars(plan);
    return facts
        .row("tests")
        .table(
            "tests",
            IntStream.rangeClosed(1, tests.count())
                .mapToObj(
                    test ->
                        Facts.of()
                            .number("after", "after", tests.last(test), "windows")
                            .number(
                                "threshold", "threshold", plan.thresholds().get(test - 1).least()))
                .toList())
        .row("error")
        .bar(
            "95% of running counts, at the end of a run, within",
            "largest_error_95", facts.countError().orElseThrow().halfWidth(), "")
        .bar(
            "of names that the last test finds",
            "error_95_found_last",
            bars.halfWidth(tests.count(), 0),
            "");
  }
}
