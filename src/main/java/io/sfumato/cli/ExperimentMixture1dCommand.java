// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.Mixture1dExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "mixture-1d",
    mixinStandardHelpOptions = true,
    description = "Three Gaussians on a line: private densities against epsilon (some minutes).",
    footer = {"", "Example: sfumato experiment mixture-1d --out results"})
final class ExperimentMixture1dCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Override
  public Integer call() throws RefusedException {
    Mixture1dExperiment experiment = new Mixture1dExperiment(output.folder());
    return output.run("mixture-1d", experiment.steps(), experiment::run);
  }
}
