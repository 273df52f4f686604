// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.audit.attack.AttackTable;
import io.sfumato.audit.attack.Attacks;
import io.sfumato.audit.attack.Found;
import io.sfumato.audit.attack.Target;
import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.ExperimentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Attacks of the literature on every mechanism. */
final class AttacksRun extends ExperimentRun {
  private static final int LEAST = 1000;
  private static final int MOST = 100_000_000;

  /** That any true claim of the table is refuted. */
  private static final double FAILURE = 1e-9;

  @Option(
      names = "--draws",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "Draws of each neighbour, for the bounds by draws: 1000 to 100000000; by default 10000,"
              + " which takes about a minute.")
  private int draws;

  @Override
  Experiment experiment(Path folder) {
    if (draws < LEAST || draws > MOST) {
      throw new ParameterException(
          spec.commandLine(),
          "--draws: found %d, allowed is %d to %d".formatted(draws, LEAST, MOST));
    }
    List<Target> targets = Attacks.targets();
    return new Experiment() {
      @Override
      public long steps() {
        return targets.size();
      }

      @Override
      public List<String> run(Runnable progress) throws ExperimentException {
        List<Found> found = new ArrayList<>();
        for (Target target : targets) {
          found.add(Found.of(target, draws, FAILURE / targets.size()));
          progress.run();
        }
        write(folder.resolve("attacks.csv"), AttackTable.csv(found));
        List<String> lines = new ArrayList<>(AttackTable.lines(found));
        long refuted = found.stream().filter(row -> !row.refutations().isEmpty()).count();
        lines.add(
            "%d mechanisms, %d refuted; a true claim is, by chance, with probability %s at most"
                .formatted(targets.size(), refuted, FAILURE));
        return lines;
      }
    };
  }

  private static void write(Path file, List<String> lines) throws ExperimentException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, lines);
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be written; --out names a folder");
    }
  }
}
