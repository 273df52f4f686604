// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.NumbersExperiment;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Means, variances and quantiles beside what people use. */
final class NumbersExperimentRun extends ExperimentRun {
  private static final List<Double> EPSILONS = List.of(0.25, 0.5, 1.0, 2.0, 4.0);
  private static final List<Double> FEW = List.of(0.5, 1.0, 2.0);
  private static final int SEEDS = 4000;
  private static final int FEW_SEEDS = 200;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description =
          "Folder with events/ (the diabetes diary, Wikipedia's edits) and uci/ (Adult, Bank).")
  private Path data;

  @Option(
      names = "--quick",
      description = "Fewer epsilons, and 200 releases of each method, not 4,000.")
  private boolean quick;

  @Override
  Experiment experiment(Path folder) {
    return new NumbersExperiment(data, folder, quick ? FEW : EPSILONS, quick ? FEW_SEEDS : SEEDS);
  }
}
