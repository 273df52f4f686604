// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.accounting.Delta;
import io.sfumato.experiment.Encoding;
import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.ModelExperiment;
import io.sfumato.experiment.ModelExperiment.Models;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** An experiment that fits models to data sets. */
final class ModelExperimentRun extends ExperimentRun {
  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description =
          "Folder of the data sets: NAME.csv.gz with a header, the label in the last column. Bayesian networks of other data sets than the paper's need their shape too, known in public: NAME.network with every attribute and its parents, parents first: age[] education[age] income[age,education].")
  private Path data;

  @Option(
      names = "--reference",
      paramLabel = "DIR",
      description = "Folder of figures to compare with: naive-bayes.csv, bayesian-networks.csv.")
  private Path reference;

  @Option(
      names = "--datasets",
      split = ",",
      paramLabel = "NAME",
      description =
          "Any data sets of the folder; by default the paper's. Columns of numbers with more than 30 different values are binned; of all others each value is a category.")
  private List<String> datasets = List.of();

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "Repeats of each mechanism; by default 10.")
  private int repeats = 10;

  @Option(
      names = "--bins",
      paramLabel = "N",
      description = "Quantile bins of numeric columns; by default 10, as in the paper.")
  private int bins = 10;

  @Option(
      names = "--encoding",
      paramLabel = "ENCODING",
      description =
          "published (test values find their bin by its printed label, as in the reference figures: some are lost) or clean; by default published.")
  private Encoding encoding = Encoding.PUBLISHED;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      description =
          "Compares at (epsilon, delta), figures 9 to 11 (the paper: 1e-5), with the guarantee of Gohari et al.; by default at the Rényi order 5.")
  private BigDecimal delta;

  private final Models models;

  ModelExperimentRun(Models models) {
    this.models = models;
  }

  @Override
  Experiment experiment(Path folder) {
    for (String name : datasets) {
      if (!name.matches("[^/\\\\]+") || name.endsWith(".gz")) {
        throw bad("--datasets: found '" + name + "', allowed is NAME of DIR/NAME.csv.gz");
      }
    }
    if (delta != null && reference != null) {
      throw bad("--reference: the figures to compare with are at a Rényi order; leave out --delta");
    }
    try {
      return new ModelExperiment(
          models,
          data,
          folder,
          Optional.ofNullable(reference),
          datasets.isEmpty() ? models.datasets() : datasets,
          repeats,
          bins,
          encoding,
          Optional.ofNullable(delta).map(Delta::new));
    } catch (IllegalArgumentException e) {
      throw bad("--repeats, --bins, --delta: " + e.getMessage());
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
