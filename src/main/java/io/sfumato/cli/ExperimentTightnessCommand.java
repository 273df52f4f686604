// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.TightnessExperiment;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "tightness",
    mixinStandardHelpOptions = true,
    description = "Figure 3 (upper row) of the Dirichlet paper: how tight the bounds are.",
    footer = {"", "Example: sfumato experiment tightness --out results"})
final class ExperimentTightnessCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Not needed: the histograms stand in the paper.")
  private Path data;

  @Override
  public Integer call() throws RefusedException {
    TightnessExperiment experiment = new TightnessExperiment(output.folder());
    return output.run("tightness", experiment.steps(), experiment::run);
  }
}
