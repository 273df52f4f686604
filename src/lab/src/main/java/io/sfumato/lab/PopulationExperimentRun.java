// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.PopulationExperiment;
import io.sfumato.experiment.RunningCountExperiment;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Shares of two real streams, and then running counts. */
final class PopulationExperimentRun extends ExperimentRun {
  private static final List<Double> EPSILONS = List.of(0.25, 0.5, 1.0, 2.0, 4.0, 8.0);
  private static final List<Double> FEW = List.of(0.5, 1.0, 4.0);
  private static final int SEEDS = 100;
  private static final int FEW_SEEDS = 10;

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
  Experiment experiment(Path folder) {
    int seeds = quick ? FEW_SEEDS : SEEDS;
    return new PopulationExperiment(data, folder, quick ? FEW : EPSILONS, seeds)
        .then(new RunningCountExperiment(folder, seeds, 1024));
  }
}
