// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.abc.SparseVectorPlan;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.pipeline.Facts;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "sparse-vector",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the noise of sparse-vector ABC: Laplace(b) on the threshold, Laplace(2b) on "
          + "each distance.",
      "Purely epsilon-private whatever the number of candidates; it stops after the "
          + "planned acceptances."
    },
    footer = {
      "",
      "Example: sfumato calibrate sparse-vector --acceptances 10 --sensitivity 0.002 --epsilon 1 --redraw"
    })
final class CalibrateSparseVectorCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;

  @Option(
      names = "--acceptances",
      paramLabel = "N",
      required = true,
      description = "Acceptances of a query (c); at least 1.")
  private long acceptances;

  @Option(
      names = "--sensitivity",
      paramLabel = "SENSITIVITY",
      required = true,
      description = "Sensitivity of a distance to replacing one record; above 0.")
  private double sensitivity;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of the whole query; above 0.")
  private BigDecimal epsilon;

  @Option(names = "--redraw", description = "Draw the threshold again after each acceptance.")
  private boolean redraw;

  @Override
  public Integer call() {
    Threshold threshold = redraw ? Threshold.REDRAWN : Threshold.KEPT;
    double b =
        output.checked(
            () ->
                SparseVectorPlan.scale(new Epsilon(epsilon), acceptances, sensitivity, threshold));
    output.print(
        Facts.of()
            .row("noise")
            .number("b", "b", b)
            .row("of")
            .number("epsilon", "epsilon", epsilon)
            .number("", "acceptances", acceptances, "acceptances")
            .number("sensitivity", "sensitivity", sensitivity)
            .words("threshold", "threshold", redraw ? "redrawn" : "kept"));
    return 0;
  }
}
