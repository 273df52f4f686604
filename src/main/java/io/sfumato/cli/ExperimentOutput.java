// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where an experiment writes, and how it runs: with a progress bar, its findings printed. */
final class ExperimentOutput {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder for tables (CSV) and plots (PNG).")
  private Path out;

  /** Runs and returns what was found, for people. */
  interface Experiment {
    List<String> run(Runnable progress) throws ExperimentException;
  }

  Path folder() {
    return out;
  }

  int run(String what, long steps, Experiment experiment) throws RefusedException {
    PrintWriter print = Terminal.over(spec.commandLine().getOut());
    try (Progress progress = new Progress(Terminal.forProgress(), what, steps)) {
      experiment.run(progress::step).forEach(print::println);
    } catch (ExperimentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    }
    print.println("tables and plots: " + out);
    print.flush();
    return 0;
  }
}
