// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.release.count.CountSpec;
import io.sfumato.text.ControlCharEscaper;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "running-count",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the least discrete Gaussian noise on counts that run over windows, and their "
          + "error.",
      "Errors are standard deviations in records: of all windows together (root mean "
          + "square) and of the worst window. A binary tree and sums of independent windows are "
          + "shown beside them. With --windows forever: the error after so many windows."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate running-count --windows 1024 --epsilon 1 --delta 1e-6",
      "  sfumato calibrate running-count --windows forever --over 7 --user-windows 30 --epsilon 1 --delta 1e-6",
      "  sfumato calibrate running-count --windows 365 --user-windows 52 --per-window 3 --epsilon 1 --delta 1e-6 -o json"
    })
final class CalibrateRunningCountCommand implements Callable<Integer> {
  /** More than a share affords, and few enough for its arithmetic. */
  private static final long MOST_USER_WINDOWS = 1_000_000_000;

  /** As many as a file may ask for. */
  private static final int MOST_LAST = 1_024;

  @Mixin private JsonOrText output;

  @Option(
      names = "--windows",
      required = true,
      paramLabel = "T",
      description = "Windows that counts run over, 1 to 1048576; or forever.")
  private String windows;

  @Option(
      names = "--over",
      paramLabel = "N",
      description = "Also counts the last N windows, from the same draws; 2 to 1024.")
  private Optional<Integer> over = Optional.empty();

  @Option(
      names = "--user-windows",
      paramLabel = "W",
      description = "Most windows of a user that count; by default 1.")
  private long userWindows = 1;

  @Option(
      names = "--per-window",
      paramLabel = "C",
      description = "Most records of a user that count in a window; by default 1.")
  private int perWindow = 1;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of all of a user's windows; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Delta of all of a user's windows; above 0, below 1.")
  private BigDecimal delta;

  @Override
  public Integer call() {
    Horizon horizon = horizon();
    output.within("--user-windows", userWindows, 1, Math.min(horizon.most(), MOST_USER_WINDOWS));
    over.ifPresent(
        last -> output.within("--over", last, 2, (int) Math.min(horizon.most(), MOST_LAST)));
    output.within("--per-window", perWindow, 1, 1_000_000);
    Population users = OneRelease.users(perWindow);
    CountSpec spec =
        new CountSpec(
            output.checked(
                () -> OneRelease.head(new Epsilon(epsilon), new Delta(delta), userWindows)),
            CountSpec.Method.GAUSSIAN,
            CountSpec.Grouping.TOTAL,
            new OverWindows(
                Optional.of(horizon), over.map(OptionalInt::of).orElse(OptionalInt.empty())),
            Reach.WINDOW,
            users);
    output.print(output.checked(() -> OneRelease.of(Optional.of(users)).facts(spec)));
    return 0;
  }

  private Horizon horizon() {
    if (windows.equals("forever")) {
      return new Horizon.Forever();
    }
    if (!windows.matches("\\d{1,9}")) {
      throw output.bad(
          "--windows: found '%s', allowed is 1 to %d, or forever"
              .formatted(ControlCharEscaper.of(windows), Horizon.MOST_WINDOWS));
    }
    int until = Integer.parseInt(windows);
    return new Horizon.Until(output.within("--windows", until, 1, Horizon.MOST_WINDOWS));
  }
}
