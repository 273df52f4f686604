package io.sfumato.cli;

import io.sfumato.console.Progress;
import io.sfumato.experiment.Coded;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.experiment.ModelExperiment;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder for tables (CSV) and plots (PNG).")
  private Path out;

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
  private Coded.Encoding encoding = Coded.Encoding.PUBLISHED;

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
              out,
              Optional.ofNullable(reference),
              datasets.isEmpty() ? known : datasets,
              repeats,
              bins,
              encoding);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--repeats, --bins: " + e.getMessage());
    }
    PrintWriter print = spec.commandLine().getOut();
    try (Progress progress = new Progress(System.err, what, model.steps())) {
      experiment.run(model, progress::step).forEach(print::println);
    } catch (ExperimentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    }
    print.println("tables and plots: " + out);
    print.flush();
    return 0;
  }
}
