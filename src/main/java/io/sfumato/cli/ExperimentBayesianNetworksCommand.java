// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.ModelExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "bayesian-networks",
    mixinStandardHelpOptions = true,
    description = "Figure 7 of the Dirichlet paper: parameters of Bayesian networks.",
    footer = {
      "",
      "Example: sfumato experiment bayesian-networks --data uci --out results --reference reference"
    })
final class ExperimentBayesianNetworksCommand implements Callable<Integer> {
  @Mixin private ModelExperimentOptions options;

  @Override
  public Integer call() throws RefusedException {
    return options.run(
        "bayesian-networks", ModelExperiment.networkDatasets(), ModelExperiment::bayesianNetworks);
  }
}
