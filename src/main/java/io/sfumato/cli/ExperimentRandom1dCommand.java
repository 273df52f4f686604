// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.Random1dExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "random-1d",
    mixinStandardHelpOptions = true,
    description = "A hundred random mixtures on a line: worst and mean KL of the samplers.",
    footer = {"", "Example: sfumato experiment random-1d --out results"})
final class ExperimentRandom1dCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Override
  public Integer call() throws RefusedException {
    Random1dExperiment experiment = new Random1dExperiment(output.folder());
    return output.run("random-1d", experiment.steps(), experiment::run);
  }
}
