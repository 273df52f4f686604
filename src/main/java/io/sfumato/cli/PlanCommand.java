// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.PseudoDataFile;
import io.sfumato.console.Terminal;
import io.sfumato.mechanism.abc.MedianHeuristic;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlanReport;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description =
        "Shows what a pipeline will cost, how long its budget lasts and what error to expect. Needs no broker.",
    footer = {
      "",
      "Examples:",
      "  sfumato plan topology/diary.yaml",
      "  sfumato plan trips.yaml --pseudo-data simulated-trips.csv"
    })
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Option(
      names = {"-o", "--output"},
      description = "text or json.")
  private Format format = Format.TEXT;

  @Option(
      names = "--pseudo-data",
      paramLabel = "CSV",
      description =
          "PUBLIC pseudo-data with a column for each of 'input.values': from it the bandwidth of the"
              + " features is derived (median heuristic), if the file names none.")
  private Optional<Path> pseudoData = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException {
    Plan plan = pseudoData.isPresent() ? derived(pseudoData.get()) : load(file);
    Terminal.over(spec.commandLine().getOut())
        .println(format == Format.JSON ? PlanReport.json(plan) : PlanReport.text(plan));
    return 0;
  }

  private Plan derived(Path csv) throws PipelineFileException {
    Pipeline pipeline =
        PipelineFile.read(
            file, Optional.of(values -> MedianHeuristic.bandwidth(rows(csv, values))));
    pipeline
        .features()
        .ifPresent(
            features ->
                System.err.printf(
                    Locale.ROOT,
                    "put this into %s:%nfeatures: { count: %d, bandwidth: %s }%n",
                    file,
                    features.count(),
                    features.bandwidth()));
    return Plan.of(file.toString(), pipeline);
  }

  private static double[][] rows(Path csv, List<String> values) {
    try {
      return PseudoDataFile.read(csv, values);
    } catch (RefusedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static Plan load(Path file) throws PipelineFileException {
    return Plan.of(file.toString(), PipelineFile.read(file));
  }
}
