// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.release.histogram.HistogramSpec;
import io.sfumato.release.histogram.PlannedHistogram;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "gaussian",
    mixinStandardHelpOptions = true,
    description =
        "Finds the least discrete Gaussian noise on the counts, and the error that it " + "causes.",
    footer = {
      "",
      "Example: sfumato calibrate gaussian --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5 -o json"
    })
final class CalibrateGaussianCommand extends HistogramCalibration {
  @Option(names = "--floor", description = "Floor at sigma/2 instead of the posterior mean.")
  private boolean floor;

  @Override
  Optional<PlannedHistogram> plan() {
    requireNoiseAccountant();
    return plan(
        HistogramSpec.Method.GAUSSIAN,
        floor ? PostProcessing.FLOOR : PostProcessing.POSTERIOR_MEAN);
  }
}
