package io.sfumato.cli;

import io.sfumato.console.Progress;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.experiment.TightnessExperiment;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "tightness",
    mixinStandardHelpOptions = true,
    description = "Figure 3 (upper row) of the Dirichlet paper: how tight the bounds are.",
    footer = {"", "Example: sfumato experiment tightness --out results"})
final class ExperimentTightnessCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Not needed: the histograms stand in the paper.")
  private Path data;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder for tables (CSV) and plots (PNG).")
  private Path out;

  @Override
  public Integer call() throws RefusedException {
    TightnessExperiment experiment = new TightnessExperiment(out);
    PrintWriter print = spec.commandLine().getOut();
    try (Progress progress = new Progress(System.err, "tightness", experiment.steps())) {
      experiment.run(progress::step).forEach(print::println);
    } catch (ExperimentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    }
    print.println("tables and plots: " + out);
    print.flush();
    return 0;
  }
}
