// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.additive.AdditivePlanner;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.PostProcessing;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "gaussian",
    mixinStandardHelpOptions = true,
    description = "The least discrete Gaussian noise on the counts, and the error that it leaves.",
    footer = {
      "",
      "Example: sfumato calibrate gaussian --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5 -o json"
    })
final class CalibrateGaussianCommand extends HistogramCalibration {
  @Option(names = "--floor", description = "Floor at sigma/2 instead of the posterior mean.")
  private boolean floor;

  @Override
  Optional<HistogramPlan> plan() {
    Accountant by = accountantOfNoise();
    PostProcessing after = floor ? PostProcessing.FLOOR : PostProcessing.POSTERIOR_MEAN;
    return AdditivePlanner.gaussian(request(), by, after, Sensitivity.replaceOne(), model());
  }
}
