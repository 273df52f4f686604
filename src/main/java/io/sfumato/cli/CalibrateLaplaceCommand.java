// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditivePlanner;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "laplace",
    mixinStandardHelpOptions = true,
    description = "The least discrete Laplace noise on the counts, and the error that it leaves.",
    footer = {
      "",
      "Example: sfumato calibrate laplace --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5 -o json"
    })
final class CalibrateLaplaceCommand implements Callable<Integer> {
  @Mixin private CalibrationOptions options;

  @Override
  public Integer call() throws RefusedException {
    options.order();
    if (options.accountant() == Accountant.PAPER) {
      throw options.bad("--accountant: found paper, allowed is exact or renyi");
    }
    options.print(
        AdditivePlanner.laplace(
            options.request(), options.accountant(), Sensitivity.replaceOne(), options.model()));
    return 0;
  }
}
