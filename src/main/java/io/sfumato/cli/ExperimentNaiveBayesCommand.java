// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.ModelExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "naive-bayes",
    mixinStandardHelpOptions = true,
    description =
        "Figures 4 and 5 of the Dirichlet paper: naive Bayes classifiers with private tables.",
    footer = {
      "",
      "Example: sfumato experiment naive-bayes --data uci --out results --reference reference"
    })
final class ExperimentNaiveBayesCommand implements Callable<Integer> {
  @Mixin private ModelExperimentOptions options;

  @Override
  public Integer call() throws RefusedException {
    return options.run(
        "naive-bayes", ModelExperiment.naiveBayesDatasets(), ModelExperiment::naiveBayes);
  }
}
