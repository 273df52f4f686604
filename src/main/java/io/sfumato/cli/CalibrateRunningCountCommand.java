// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.count.RunningErrors;
import io.sfumato.mechanism.running.ErrorBars;
import io.sfumato.mechanism.running.Extent;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RunningMechanism;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "running-count",
    mixinStandardHelpOptions = true,
    description = {
      "The least discrete Gaussian noise on counts that run over windows, and by how many records they err (standard deviations):"
          + " all windows together (root mean square) and the worst one, beside a binary tree and independent windows, added up."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate running-count --windows 1024 --epsilon 1 --delta 1e-6",
      "  sfumato calibrate running-count --windows 365 --user-windows 52 --per-window 3 --epsilon 1 --delta 1e-6 -o json"
    })
final class CalibrateRunningCountCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;

  @Option(
      names = "--windows",
      required = true,
      paramLabel = "T",
      description = "Windows that counts run over, 1 to 1048576.")
  private int windows;

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
      required = true,
      description = "Of all of a user's windows; above 0.")
  private BigDecimal epsilon;

  @Option(names = "--delta", required = true, description = "Above 0, below 1.")
  private BigDecimal delta;

  @Override
  public Integer call() {
    output.within("--windows", windows, 1, Extent.MOST_WINDOWS);
    output.within("--per-window", perWindow, 1, 1_000_000);
    RunningErrors errors = output.checked(() -> new RunningErrors(request(), perWindow, windows));
    RunningMechanism rows =
        output.checked(
            () -> errors.rows().orElseThrow(NumbersCalibration::notAffordable).mechanism());
    Lags lags = rows.lags();
    ErrorBars bars = new ErrorBars(rows);
    ObjectNode found =
        JsonOrText.object()
            .put("rms_error", bars.rootMeanSquare(windows))
            .put("worst_error", bars.deviation(windows, windows))
            .put("error_95", Math.ceil(bars.halfWidth(windows, windows)))
            .put("factorisation", lags.word())
            .put("band", lags.band())
            .put("sigma", rows.deviation());
    errors.tree().ifPresent(error -> found.put("tree_rms_error", error));
    errors.independent().ifPresent(error -> found.put("independent_rms_error", error));
    errors.laplace().ifPresent(error -> found.put("laplace_rms_error", error));
    output.print(found.put("windows", windows).put("user_windows", userWindows));
    return 0;
  }

  private ShareRequest request() {
    return new ShareRequest("running-count", new Epsilon(epsilon), new Delta(delta), userWindows);
  }
}
