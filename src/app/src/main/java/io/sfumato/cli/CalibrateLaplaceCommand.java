// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.release.histogram.HistogramSpec;
import io.sfumato.release.histogram.PlannedHistogram;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(
    name = "laplace",
    mixinStandardHelpOptions = true,
    description =
        "Finds the least discrete Laplace noise on the counts, and the error that it " + "causes.",
    footer = {
      "",
      "Example: sfumato calibrate laplace --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5 -o json"
    })
final class CalibrateLaplaceCommand extends HistogramCalibration {
  @Override
  Optional<PlannedHistogram> plan() {
    requireNoiseAccountant();
    return plan(HistogramSpec.Method.LAPLACE, PostProcessing.POSTERIOR_MEAN);
  }
}
