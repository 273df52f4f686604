// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.AbcToyExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "abc-toy",
    mixinStandardHelpOptions = true,
    description =
        "Figures 2 and 3 of the ABCDP paper: the shares of a mixture, found again privately.",
    footer = {"", "Example: sfumato experiment abc-toy --out results"})
final class ExperimentAbcToyCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Override
  public Integer call() throws RefusedException {
    AbcToyExperiment experiment = new AbcToyExperiment(output.folder());
    return output.run("abc-toy", experiment.steps(), experiment::run);
  }
}
