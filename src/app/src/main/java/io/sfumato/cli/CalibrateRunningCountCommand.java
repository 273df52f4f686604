// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.count.RunningErrors;
import io.sfumato.estimate.running.ErrorBars;
import io.sfumato.estimate.running.Extent;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.text.Visible;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "running-count",
    mixinStandardHelpOptions = true,
    description = {
      "The least discrete Gaussian noise on counts that run over windows, and by how many records they err (standard deviations):"
          + " all windows together (root mean square) and the worst one, beside a binary tree and independent windows, added up; without an end, after so many windows."
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

  /** Numbers of windows at which counts without an end are told. */
  private static final long[] AFTER = {1, 16, 256, 4_096, 65_536, 1_048_576};

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
      description = "Tells counts of the last N windows too, from the same draws; 2 to 1024.")
  private Optional<Integer> over = Optional.empty();

  @Option(
      names = "--user-windows",
      paramLabel = "W",
      description = "Windows of a user that count at most; by default 1.")
  private long userWindows = 1;

  @Option(
      names = "--per-window",
      paramLabel = "C",
      description = "Records of a user that count in a window at most; by default 1.")
  private int perWindow = 1;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Of all of a user's windows; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Above 0, below 1.")
  private BigDecimal delta;

  @Override
  public Integer call() {
    Extent extent = extent();
    output.within("--user-windows", userWindows, 1, Math.min(extent.most(), MOST_USER_WINDOWS));
    over.ifPresent(
        last -> output.within("--over", last, 2, (int) Math.min(extent.most(), MOST_LAST)));
    output.within("--per-window", perWindow, 1, 1_000_000);
    output.print(extent instanceof Extent.Until until ? until(until.windows()) : forever());
    return 0;
  }

  private Extent extent() {
    if (windows.equals("forever")) {
      return new Extent.Forever();
    }
    if (!windows.matches("\\d{1,9}")) {
      throw output.bad(
          "--windows: found '%s', allowed is 1 to %d, or forever"
              .formatted(Visible.of(windows), Extent.MOST_WINDOWS));
    }
    int until = Integer.parseInt(windows);
    return new Extent.Until(output.within("--windows", until, 1, Extent.MOST_WINDOWS));
  }

  private ObjectNode until(int most) {
    RunningErrors errors = output.checked(() -> new RunningErrors(request(), perWindow, most));
    RunningMechanism rows =
        output.checked(
            () -> errors.rows().orElseThrow(NumbersCalibration::notAffordable).mechanism());
    ErrorBars bars = new ErrorBars(rows);
    ObjectNode found =
        JsonOrText.object()
            .put("rms_error", bars.rootMeanSquare(most))
            .put("worst_error", bars.deviation(most, most))
            .put("error_95", Math.ceil(bars.halfWidth(most, most)));
    last(found, bars, most);
    how(found, rows);
    errors.tree().ifPresent(error -> found.put("tree_rms_error", error));
    errors.independent().ifPresent(error -> found.put("independent_rms_error", error));
    errors.laplace().ifPresent(error -> found.put("laplace_rms_error", error));
    return found.put("windows", most).put("user_windows", userWindows);
  }

  private ObjectNode forever() {
    RunningMechanism rows =
        output.checked(
            () ->
                RunningErrors.forever(request(), perWindow)
                    .orElseThrow(NumbersCalibration::notAffordable)
                    .mechanism());
    ErrorBars bars = new ErrorBars(rows);
    ObjectNode found = JsonOrText.object();
    ArrayNode after = found.putArray("after_windows");
    ArrayNode errors = found.putArray("errors");
    ArrayNode widths = found.putArray("error_95");
    for (long n : AFTER) {
      after.add(n);
      errors.add(bars.deviation(n, n));
      widths.add(Math.ceil(bars.halfWidth(n, n)));
    }
    last(found, bars, AFTER[AFTER.length - 1]);
    how(found, rows);
    return found.put("windows", "forever").put("user_windows", userWindows);
  }

  /** Those of the last windows, after so many that no bar of theirs is wider. */
  private void last(ObjectNode found, ErrorBars bars, long windows) {
    over.ifPresent(
        last ->
            found.put("over", last).put("last_error_95", Math.ceil(bars.halfWidth(windows, last))));
  }

  private static void how(ObjectNode found, RunningMechanism rows) {
    Lags lags = rows.lags();
    found.put("factorisation", lags.word()).put("band", lags.band()).put("sigma", rows.deviation());
  }

  private ShareRequest request() {
    return new ShareRequest("running-count", new Epsilon(epsilon), new Delta(delta), userWindows);
  }
}
