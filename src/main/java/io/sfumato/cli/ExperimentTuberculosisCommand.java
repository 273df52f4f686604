// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.TuberculosisExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "tuberculosis",
    mixinStandardHelpOptions = true,
    description =
        "Figure 4 of the ABCDP paper: an outbreak of tuberculosis, its rates found privately.",
    footer = {"", "Example: sfumato experiment tuberculosis --out results"})
final class ExperimentTuberculosisCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Override
  public Integer call() throws RefusedException {
    TuberculosisExperiment experiment = new TuberculosisExperiment(output.folder());
    return output.run("tuberculosis", experiment.steps(), experiment::run);
  }
}
