// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileError;
import io.sfumato.mechanism.quantile.QuantileMechanism;
import io.sfumato.mechanism.quantile.QuantilePlanner;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "quantile",
    mixinStandardHelpOptions = true,
    description =
        "The least noise on a window's quantiles, all for one charge, and by how many records their ranks err.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate quantile --epsilon 1 --delta 1e-6",
      "  sfumato calibrate quantile --users 5000 --per-window 3 --bins 1024 --epsilon 1 --delta 1e-6 -o json"
    })
final class CalibrateQuantileCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;
  @Mixin private NumbersCalibration numbers;

  @Option(names = "--bins", description = "2 to 65536; by default 4096.")
  private int bins = Bins.DEFAULT;

  @Override
  public Integer call() {
    output.within("--bins", bins, 2, Bins.LARGEST);
    if (numbers.isPure()) {
      throw output.bad("quantiles have Gaussian noise, which needs --delta, such as --delta 1e-6");
    }
    Bins range = Bins.of(0, 1, bins, Bins.Scale.LINEAR);
    Optional<Integer> perWindow = numbers.perWindow(output);
    Planned<QuantileMechanism> planned =
        output.checked(
            () ->
                (perWindow.isPresent()
                        ? QuantilePlanner.addOrRemove(numbers.request(), range, perWindow.get())
                        : QuantilePlanner.replaceOne(numbers.request(), range))
                    .orElseThrow(NumbersCalibration::notAffordable));
    QuantileError error = QuantileError.of(planned.mechanism());
    long size = numbers.size(output);
    output.print(
        numbers
            .terms(
                JsonOrText.object()
                    .put("sigma", planned.mechanism().rows().deviation())
                    .put("rank_rms_error", error.rankRms())
                    .put("rank_worst_error", error.rankWorst())
                    .put("rank_error_95", error.halfWidth())
                    .put("error_95_of_records", Math.min(1, error.halfWidth() / size))
                    .put("bins", bins))
            .put("unit", planned.mechanism().charge().unit().word()));
    return 0;
  }
}
