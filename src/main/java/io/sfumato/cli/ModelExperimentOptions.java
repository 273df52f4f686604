// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.experiment.Encoding;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.experiment.ModelExperiment;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What both experiments with models are given. */
final class ModelExperimentOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "Folder of the data sets: NAME.csv.gz, the label in the last column.")
  private Path data;

  @Mixin private ExperimentOutput output;

  @Option(
      names = "--reference",
      paramLabel = "DIR",
      description = "Folder of figures to compare with: naive-bayes.csv, bayesian-networks.csv.")
  private Path reference;

  @Option(names = "--datasets", split = ",", description = "Some of the data sets; by default all.")
  private List<String> datasets = List.of();

  @Option(names = "--repeats", description = "Repeats of each mechanism; by default 10.")
  private int repeats = 10;

  @Option(
      names = "--bins",
      description = "Quantile bins of numeric columns; by default 10, as in the paper.")
  private int bins = 10;

  @Option(
      names = "--encoding",
      description =
          "published (test values find their bin by its printed label, as in the reference figures: some are lost) or clean; by default published.")
  private Encoding encoding = Encoding.PUBLISHED;

  /** One of the two experiments. */
  interface Experiment {
    List<String> run(ModelExperiment experiment, Runnable progress) throws ExperimentException;
  }

  int run(String what, List<String> known, Experiment experiment) throws RefusedException {
    for (String name : datasets) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), "--datasets: found " + name + ", allowed are " + known);
      }
    }
    ModelExperiment model;
    try {
      model =
          new ModelExperiment(
              data,
              output.folder(),
              Optional.ofNullable(reference),
              datasets.isEmpty() ? known : datasets,
              repeats,
              bins,
              encoding);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--repeats, --bins: " + e.getMessage());
    }
    return output.run(what, model.steps(), progress -> experiment.run(model, progress));
  }
}
