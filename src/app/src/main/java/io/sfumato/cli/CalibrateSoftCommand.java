// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.pipeline.Facts;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "soft",
    mixinStandardHelpOptions = true,
    description = "Finds the least noise of soft ABC weights, for all candidates of a query.",
    footer = {
      "",
      "Example: sfumato calibrate soft --candidates 200 --sensitivity 1 --epsilon 4 --delta 1e-4 -o json"
    })
final class CalibrateSoftCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;

  @Option(
      names = "--candidates",
      paramLabel = "N",
      required = true,
      description = "Candidates of a query (T); at least 1.")
  private long candidates;

  @Option(
      names = "--sensitivity",
      paramLabel = "SENSITIVITY",
      required = true,
      description = "Sensitivity of distance / threshold to replacing one record; above 0.")
  private double sensitivity;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of all weights; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Delta of all weights; above 0, below 1.")
  private BigDecimal delta;

  @Option(
      names = "--accountant",
      paramLabel = "ACCOUNTANT",
      description =
          "Accountant: exact (the analytic Gaussian) or renyi (its best order); by default exact.")
  private Accountant accountant = Accountant.EXACT;

  @Override
  public Integer call() {
    Epsilon eps = output.checked(() -> new Epsilon(epsilon));
    Delta failure = output.checked(() -> new Delta(delta));
    if (failure.value().signum() == 0) {
      throw output.bad("--delta: found 0, allowed is above 0 and below 1");
    }
    double sigma =
        output.checked(
            () ->
                GaussianBudget.sigma(
                    GaussianBudget.mu(eps, failure, accountant), candidates, sensitivity));
    output.print(
        Facts.of()
            .row("noise")
            .number("sigma", "sigma", sigma)
            .row("of")
            .number("epsilon", "epsilon", epsilon)
            .number("delta", "delta", delta)
            .number("", "candidates", candidates, "candidates")
            .number("sensitivity", "sensitivity", sensitivity)
            .words("calibration", "accountant", accountant.word()));
    return 0;
  }
}
