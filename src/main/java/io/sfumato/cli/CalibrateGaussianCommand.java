// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditivePlanner;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "gaussian",
    mixinStandardHelpOptions = true,
    description = "The least discrete Gaussian noise on the counts, and the error that it leaves.",
    footer = {
      "",
      "Example: sfumato calibrate gaussian --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5 -o json"
    })
final class CalibrateGaussianCommand implements Callable<Integer> {
  @Mixin private CalibrationOptions options;

  @Option(names = "--floor", description = "Floor at sigma/2 instead of the posterior mean.")
  private boolean floor;

  @Override
  public Integer call() throws RefusedException {
    options.order();
    if (options.accountant() == Accountant.PAPER) {
      throw options.bad("--accountant: found paper, allowed is exact or renyi");
    }
    options.print(
        AdditivePlanner.gaussian(
            options.request(),
            options.accountant(),
            floor ? PostProcessing.FLOOR : PostProcessing.POSTERIOR_MEAN,
            Sensitivity.replaceOne(),
            options.model()));
    return 0;
  }
}
