// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.PopulationExperiment;
import io.sfumato.experiment.RunningCountExperiment;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "population",
    mixinStandardHelpOptions = true,
    description =
        "Shares of every window of two real streams under the same (epsilon, delta): the methods of this"
            + " project beside randomised response of every event; and running counts beside sums of"
            + " independent ones.",
    footer = {
      "",
      "Examples:",
      "  sfumato experiment population --data ../shared/data --out results",
      "  sfumato experiment population --data ../shared/data --out results --quick"
    })
final class ExperimentPopulationCommand implements Callable<Integer> {
  private static final List<Double> EPSILONS = List.of(0.25, 0.5, 1.0, 2.0, 4.0, 8.0);
  private static final List<Double> FEW = List.of(0.5, 1.0, 4.0);
  private static final int SEEDS = 100;
  private static final int FEW_SEEDS = 10;

  @Mixin private ExperimentOutput output;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "Folder with events/: the diabetes diary and a day of Wikipedia's edits.")
  private Path data;

  @Option(
      names = "--quick",
      description = "Half of the epsilons and 10 seeds of the noise, not 100.")
  private boolean quick;

  @Override
  public Integer call() throws RefusedException {
    int seeds = quick ? FEW_SEEDS : SEEDS;
    PopulationExperiment shares =
        new PopulationExperiment(data, output.folder(), quick ? FEW : EPSILONS, seeds);
    RunningCountExperiment running = new RunningCountExperiment(output.folder(), seeds);
    return output.run(
        "population",
        shares.steps() + running.steps(),
        progress -> {
          List<String> found = new ArrayList<>(shares.run(progress));
          found.addAll(running.run(progress));
          return found;
        });
  }
}
