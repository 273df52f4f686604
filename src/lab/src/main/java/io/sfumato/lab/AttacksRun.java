// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.attack.AttackTable;
import io.sfumato.attack.AttackTarget;
import io.sfumato.attack.Attacks;
import io.sfumato.attack.Found;
import io.sfumato.attack.OneRun;
import io.sfumato.attack.OneRunBound;
import io.sfumato.attack.PrivacyClaim;
import io.sfumato.audit.PipelineCanaries;
import io.sfumato.audit.PipelineCanaries.Canary;
import io.sfumato.experiment.Experiment;
import io.sfumato.experiment.ExperimentException;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Attacks of the literature on every mechanism. */
final class AttacksRun extends ExperimentRun {
  private static final int LEAST = 1000;
  private static final int MOST = 100_000_000;
  private static final int PIPELINES = 3;
  private static final int FEWEST_CANARIES = 200;
  private static final int MOST_CANARIES = 2000;
  private static final double DELTA = 1e-6;

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
    List<AttackTarget> targets = Attacks.targets();
    return new Experiment() {
      @Override
      public long steps() {
        return targets.size() + PIPELINES;
      }

      @Override
      public List<String> run(Runnable progress) throws ExperimentException {
        List<Found> found = new ArrayList<>();
        for (AttackTarget target : targets) {
          found.add(Found.of(target, draws, FAILURE / targets.size()));
          progress.run();
        }
        write(folder.resolve("attacks.csv"), AttackTable.csv(found));
        List<String> lines = new ArrayList<>(AttackTable.lines(found));
        long refuted = found.stream().filter(row -> !row.refutations().isEmpty()).count();
        lines.add(
            "%d mechanisms, %d refuted; a true claim is, by chance, with probability %s at most"
                .formatted(targets.size(), refuted, FAILURE));
        lines.addAll(pipelines(progress));
        return lines;
      }
    };
  }

  /** One run each with many canaries, through the topology: each in a subject of its own. */
  private List<String> pipelines(Runnable progress) throws ExperimentException {
    int canaries = Math.min(MOST_CANARIES, Math.max(FEWEST_CANARIES, draws / 10));
    List<String> lines = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.make("sfumato-attacks")) {
      Canary user = new Canary(5, 1);
      for (PipelineCanaries pipeline :
          List.of(
              PipelineCanaries.count(canaries, user),
              PipelineCanaries.histogram(canaries, Canary.PROTECTED),
              PipelineCanaries.histogramOfUsers(canaries, user))) {
        PrivacyCost charge = pipeline.plan().releases().get(0).charge();
        double delta = charge.pure().isPresent() ? 0 : DELTA;
        OneRun attack = new OneRun(canaries, 1, FAILURE / PIPELINES);
        OneRun.Played played = attack.play(pipeline.name(), pipeline.game(folder.path())::apply);
        lines.add(
            String.format(
                Locale.ROOT,
                "pipeline, %s: %d canaries in one run, epsilon above %.3f of %.3f at delta %s",
                pipeline.name(),
                canaries,
                attack.epsilon(played, delta, OneRunBound::apart),
                PrivacyClaim.of(charge).epsilon(delta),
                delta));
        progress.run();
      }
    } catch (RefusedException e) {
      throw new ExperimentException(e.getMessage());
    }
    return lines;
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
