// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.FiniteWorstCaseExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "finite-worst-case",
    mixinStandardHelpOptions = true,
    description = "Worst-case KL of one item over finite domains, exactly.",
    footer = {"", "Example: sfumato experiment finite-worst-case --out results"})
final class ExperimentFiniteWorstCaseCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Override
  public Integer call() throws RefusedException {
    FiniteWorstCaseExperiment experiment = new FiniteWorstCaseExperiment(output.folder());
    return output.run("finite-worst-case", experiment.steps(), experiment::run);
  }
}
