package io.sfumato.cli;

import io.sfumato.console.Progress;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.experiment.KlExperiment;
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
    name = "kl",
    mixinStandardHelpOptions = true,
    description =
        "Figure 3 (lower row) and figure 8 of the Dirichlet paper: error against epsilon.",
    footer = {"", "Example: sfumato experiment kl --out results"})
final class ExperimentKlCommand implements Callable<Integer> {
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
    KlExperiment experiment = new KlExperiment(out);
    PrintWriter print = spec.commandLine().getOut();
    try (Progress progress = new Progress(System.err, "kl", experiment.steps())) {
      experiment.run(progress::step).forEach(print::println);
    } catch (ExperimentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    }
    print.println("tables and plots: " + out);
    print.flush();
    return 0;
  }
}
