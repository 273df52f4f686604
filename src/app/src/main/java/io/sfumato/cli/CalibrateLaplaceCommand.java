// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.additive.AdditivePlanner;
import io.sfumato.mechanism.Sensitivity;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(
    name = "laplace",
    mixinStandardHelpOptions = true,
    description = "The least discrete Laplace noise on the counts, and the error that it leaves.",
    footer = {
      "",
      "Example: sfumato calibrate laplace --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5 -o json"
    })
final class CalibrateLaplaceCommand extends HistogramCalibration {
  @Override
  Optional<HistogramPlan> plan() {
    Accountant by = accountantOfNoise();
    return AdditivePlanner.laplace(request(), by, Sensitivity.replaceOne(), model());
  }
}
