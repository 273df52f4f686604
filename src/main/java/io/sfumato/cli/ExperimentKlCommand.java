// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.KlExperiment;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "kl",
    mixinStandardHelpOptions = true,
    description =
        "Figure 3 (lower row) and figure 8 of the Dirichlet paper: error against epsilon.",
    footer = {"", "Example: sfumato experiment kl --out results"})
final class ExperimentKlCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Not needed: the histograms stand in the paper.")
  private Path data;

  @Override
  public Integer call() throws RefusedException {
    KlExperiment experiment = new KlExperiment(output.folder());
    return output.run("kl", experiment.steps(), experiment::run);
  }
}
