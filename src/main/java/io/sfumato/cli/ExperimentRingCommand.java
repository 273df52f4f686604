// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.RingExperiment;
import io.sfumato.runtime.RefusedException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "ring",
    mixinStandardHelpOptions = true,
    description = "Eight Gaussians on a ring: private densities against epsilon (some minutes).",
    footer = {"", "Example: sfumato experiment ring --out results"})
final class ExperimentRingCommand implements Callable<Integer> {
  @Mixin private ExperimentOutput output;

  @Override
  public Integer call() throws RefusedException {
    RingExperiment experiment = new RingExperiment(output.folder());
    return output.run("ring", experiment.steps(), experiment::run);
  }
}
