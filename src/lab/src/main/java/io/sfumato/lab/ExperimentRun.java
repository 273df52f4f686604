// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * An experiment as a command: it writes into a folder, shows how far it is, and prints findings.
 */
abstract class ExperimentRun implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder for tables (CSV) and plots (PNG).")
  private Path out;

  /** The experiment, as the options say. */
  abstract Experiment experiment(Path folder);

  /** Of an experiment that needs no more than the folder. */
  static class Plain extends ExperimentRun {
    private final Function<Path, Experiment> experiment;

    Plain(Function<Path, Experiment> experiment) {
      this.experiment = experiment;
    }

    @Override
    final Experiment experiment(Path folder) {
      return experiment.apply(folder);
    }
  }

  /** Of a figure whose data stand in the paper: it takes a folder of data like its neighbours. */
  static final class OfPrintedData extends Plain {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Not needed: the histograms are printed in the paper.")
    private Path data;

    OfPrintedData(Function<Path, Experiment> experiment) {
      super(experiment);
    }
  }

  /**
   * The command.
   *
   * @param examples options of one or more calls
   */
  final CommandSpec command(String name, String description, String... examples) {
    CommandSpec command =
        CommandSpec.forAnnotatedObject(this).name(name).mixinStandardHelpOptions(true);
    String call = "sfumato experiment " + name + " ";
    List<String> footer = new ArrayList<>(List.of(""));
    if (examples.length == 1) {
      footer.add("Example: " + call + examples[0]);
    } else {
      footer.add("Examples:");
      List.of(examples).forEach(options -> footer.add("  " + call + options));
    }
    command.usageMessage().description(description).footer(footer.toArray(String[]::new));
    return command;
  }

  @Override
  public final Integer call() throws RefusedException {
    Experiment chosen = experiment(out);
    PrintWriter print = Terminal.over(spec.commandLine().getOut());
    try (Progress progress = new Progress(Terminal.forProgress(), spec.name(), chosen.steps())) {
      chosen.run(progress::step).forEach(print::println);
    } catch (ExperimentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    }
    print.println("tables and plots: " + out);
    print.flush();
    return 0;
  }
}
