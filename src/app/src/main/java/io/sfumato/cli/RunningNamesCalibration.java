// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.discovery.RunningDiscoveryPlanner;
import io.sfumato.estimate.discovery.RunningNameBars;
import io.sfumato.mechanism.discovery.NameBounds;
import io.sfumato.mechanism.discovery.RunningBounds;
import io.sfumato.mechanism.discovery.RunningDiscovery;
import io.sfumato.mechanism.discovery.Tests;
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
          "Counts that run over T windows, then anew: 1 to 65536. Names that are not public are tested by their running counts.")
  private Optional<Integer> running = Optional.empty();

  @Option(
      names = "--test-every",
      paramLabel = "E",
      description =
          "With --running: names that are not public are tested at the end of every E-th window; by default at most 10 times in all.")
  private Optional<Integer> testEvery = Optional.empty();

  @Option(
      names = "--per-period",
      paramLabel = "C",
      description =
          "With --running: records of a user that count at most in the whole period, however many windows they lie in; --per-name is then of the period too. Instead of --names, --per-window and --windows.")
  private Optional<Integer> perPeriod = Optional.empty();

  /** Whether counts run. */
  boolean asked(JsonOrText output) {
    if (running.isEmpty() && (testEvery.isPresent() || perPeriod.isPresent())) {
      throw output.bad(
          "%s: goes with --running"
              .formatted(testEvery.isPresent() ? "--test-every" : "--per-period"));
    }
    return running.isPresent();
  }

  /** C of the whole period, where that is bounded. */
  Optional<Integer> perPeriod(JsonOrText output) {
    return perPeriod.map(records -> output.within("--per-period", records, 1, NameBounds.MOST));
  }

  /** The plan, as it is told. */
  ObjectNode told(JsonOrText output, Epsilon epsilon, Delta delta, RunningBounds bounds) {
    int windows = output.within("--running", running.orElseThrow(), 1, Tests.MOST_WINDOWS);
    int every =
        output.within("--test-every", testEvery.orElse((windows - 1) / TESTS + 1), 1, windows);
    Tests tests = output.checked(() -> new Tests(windows, every));
    RunningDiscovery plan =
        output.checked(
            () ->
                RunningDiscoveryPlanner.gaussian("discovery", epsilon, delta, bounds, tests)
                    .orElseThrow(NumbersCalibration::notAffordable));
    return told(plan, delta);
  }

  /** A name whose running count is the last threshold passes the last test in half of all cases. */
  private static ObjectNode told(RunningDiscovery plan, Delta delta) {
    Tests tests = plan.tests();
    RunningNameBars bars = new RunningNameBars(plan);
    ObjectNode told = JsonOrText.object();
    ArrayNode after = told.putArray("tests_after");
    ArrayNode thresholds = told.putArray("thresholds");
    for (int test = 1; test <= tests.count(); test++) {
      after.add(tests.last(test));
      thresholds.add(plan.thresholds().get(test - 1).least());
    }
    double error =
        IntStream.rangeClosed(0, tests.count())
            .mapToDouble(
                test -> bars.halfWidth(test, tests.windows() - (test == 0 ? 0 : tests.last(test))))
            .max()
            .orElseThrow();
    return told.put("half_point", plan.thresholds().get(tests.count() - 1).least())
        .put("noise", plan.fine().method())
        .put("sigma_coarse", plan.coarse().deviation())
        .put("sigma_fine", plan.fine().deviation())
        .put("error_95", error)
        .put("error_95_found_last", bars.halfWidth(tests.count(), 0))
        .put("threshold_delta", plan.thresholdDelta())
        .put("noise_delta", delta.value().subtract(plan.thresholdDelta()))
        .put("running", tests.windows())
        .put("test_every", tests.every());
  }
}
