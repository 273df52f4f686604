// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.TablesExperiment;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Consistent tables beside what people use. */
final class TablesExperimentRun extends ExperimentRun {
  private static final int MOST = 100_000;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      description = "A table, NAME.csv.gz; by default a made-up population.")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "100",
      description = "Releases of each method; by default 100.")
  private int seeds;

  @Override
  Experiment experiment(Path folder) {
    if (seeds < 1 || seeds > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--seeds: found %d, allowed is 1 to %d".formatted(seeds, MOST));
    }
    return new TablesExperiment(folder, data, seeds);
  }
}
