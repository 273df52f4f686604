// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.TableEvents;
import io.sfumato.experiment.TableReleased;
import io.sfumato.experiment.TablesExperiment;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Consistent tables beside what people use. */
final class TablesExperimentRun extends ExperimentRun {
  private static final int MOST = 100_000;
  private static final double LARGEST = 100;

  @Option(
      names = "--data",
      paramLabel = "FILE|DIR",
      description =
          "A table, NAME.csv.gz, or the folder of the public data (Adult, Bank, edits of Wikipedia); by default a"
              + " made-up population.")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "100",
      description = "Releases of each method; by default 100.")
  private int seeds;

  @Option(
      names = "--events",
      paramLabel = "EPSILON",
      description =
          "Instead: writes the records as events, and the pipeline file that publishes their tables at this epsilon,"
              + " to be run with 'run', 'produce', 'tick' and 'consume -o json'.")
  private Optional<Double> events = Optional.empty();

  @Option(
      names = "--released",
      paramLabel = "JSON",
      description =
          "With --events, afterwards: what that pipeline published, beside what the experiment finds.")
  private Optional<Path> released = Optional.empty();

  @Override
  Experiment experiment(Path folder) {
    if (seeds < 1 || seeds > MOST) {
      throw bad("--seeds: found %d, allowed is 1 to %d".formatted(seeds, MOST));
    }
    if (events.isEmpty()) {
      if (released.isPresent()) {
        throw bad("--released: only with --events EPSILON, that of the file");
      }
      return new TablesExperiment(folder, data, seeds);
    }
    double epsilon = events.get();
    if (!(epsilon > 0) || epsilon > LARGEST) {
      throw bad("--events: found %s, allowed is above 0, to %s".formatted(epsilon, LARGEST));
    }
    return released.isPresent()
        ? new TableReleased(data, epsilon, released.get(), seeds)
        : new TableEvents(folder, data, epsilon);
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
