// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.cli.LabPart;
import io.sfumato.experiment.AbcToyExperiment;
import io.sfumato.experiment.BoostingBoundsExperiment;
import io.sfumato.experiment.FiniteWorstCaseExperiment;
import io.sfumato.experiment.KlExperiment;
import io.sfumato.experiment.Mixture1dExperiment;
import io.sfumato.experiment.ModelExperiment.Models;
import io.sfumato.experiment.MollificationExperiment;
import io.sfumato.experiment.Random1dExperiment;
import io.sfumato.experiment.RandomGaussians1dExperiment;
import io.sfumato.experiment.RandomGaussians2dExperiment;
import io.sfumato.experiment.RingExperiment;
import io.sfumato.experiment.TightnessExperiment;
import io.sfumato.experiment.TuberculosisExperiment;
import io.sfumato.lab.ExperimentRun.OfPrintedData;
import io.sfumato.lab.ExperimentRun.Plain;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = LabPart.EXPERIMENT,
    synopsisSubcommandLabel = "EXPERIMENT",
    modelTransformer = ExperimentCommand.Listed.class,
    footer = {"", "Example: sfumato experiment naive-bayes --data uci --out results"})
final class ExperimentCommand {
  private static final String OUT = "--out results";
  private static final String MODELS = "--data uci --out results --reference reference";
  private static final String AT_DELTA = "--data uci --out results --delta 1e-5";
  private static final String OWN = "--data my-data --out results --datasets Visits,Claims";

  /** Adds every experiment as a command of its own. */
  static final class Listed implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec experiments) {
      all().forEach(command -> experiments.addSubcommand(command.name(), command));
      return experiments;
    }
  }

  /** In the order of the help. */
  private static List<CommandSpec> all() {
    return Stream.of(ofDirichletAndAbc(), ofDensities(), ofStreams())
        .flatMap(List::stream)
        .toList();
  }

  private static List<CommandSpec> ofDirichletAndAbc() {
    return List.of(
        new ModelExperimentRun(Models.NAIVE_BAYES)
            .command(
                "naive-bayes",
                "Figures 4 and 5 of the Dirichlet paper (with --delta 9 and 10): naive Bayes classifiers with private tables.",
                MODELS,
                AT_DELTA,
                OWN),
        new ModelExperimentRun(Models.BAYESIAN_NETWORKS)
            .command(
                "bayesian-networks",
                "Figure 7 of the Dirichlet paper (with --delta 11): parameters of Bayesian networks.",
                MODELS,
                AT_DELTA,
                OWN),
        new OfPrintedData(TightnessExperiment::new)
            .command(
                "tightness",
                "Figure 3 (upper row) of the Dirichlet paper: how tight the bounds are.",
                OUT),
        new OfPrintedData(KlExperiment::new)
            .command(
                "kl",
                "Figure 3 (lower row) and figure 8 of the Dirichlet paper: error against epsilon.",
                OUT),
        new Plain(AbcToyExperiment::new)
            .command(
                "abc-toy",
                "Figures 1 to 3 of the ABCDP paper: shares of a mixture, recovered privately.",
                OUT),
        new Plain(TuberculosisExperiment::new)
            .command(
                "tuberculosis",
                "Figure 4 of the ABCDP paper: rates of a tuberculosis outbreak, recovered privately.",
                OUT));
  }

  private static List<CommandSpec> ofDensities() {
    return List.of(
        new Plain(RingExperiment::new)
            .command(
                "ring",
                "Eight Gaussians on a ring: private densities against epsilon (some minutes).",
                OUT),
        new Plain(Mixture1dExperiment::new)
            .command(
                "mixture-1d",
                "Three Gaussians on a line: private densities against epsilon (some minutes).",
                OUT),
        new Plain(Random1dExperiment::new)
            .command(
                "random-1d",
                "A hundred random mixtures on a line: worst and mean KL of the samplers (15 minutes).",
                OUT),
        new Plain(RandomGaussians1dExperiment::new)
            .command(
                "random-gaussians-1d",
                "One to ten narrow Gaussians anywhere in [0, 1]: NLL and mode coverage, four repeats"
                    + " (some minutes).",
                OUT),
        new Plain(RandomGaussians2dExperiment::new)
            .command(
                "random-gaussians-2d",
                "Five Gaussians anywhere on a plane: private densities against epsilon (some"
                    + " minutes).",
                OUT),
        new Plain(MollificationExperiment::new)
            .command(
                "mollifications",
                "Three ways to move known densities into a mollifier: scale and shift, scaled variance,"
                    + " projection.",
                OUT),
        new Plain(BoostingBoundsExperiment::new)
            .command(
                "boosting-bounds",
                "The papers' bounds of boosted densities beside what was measured.",
                OUT),
        new Plain(FiniteWorstCaseExperiment::new)
            .command(
                "finite-worst-case",
                "Worst-case KL of one item over finite domains, exactly.",
                OUT));
  }

  private static List<CommandSpec> ofStreams() {
    return List.of(
        new PopulationExperimentRun()
            .command(
                "population",
                "Shares of every window of two real streams under the same (epsilon, delta): the methods of this"
                    + " project beside randomised response of every event; and running counts beside sums of"
                    + " independent ones.",
                "--data ../shared/data --out results",
                "--data ../shared/data --out results --quick"),
        new NumbersExperimentRun()
            .command(
                "numbers",
                "Sums, means, variances and quantiles under the same (epsilon, delta): the methods of this project"
                    + " beside the algorithms of Google's differential privacy library for Java, noise on a sum and"
                    + " a count, and noise that users add themselves.",
                "--data ../shared/data --out results",
                "--data ../shared/data --out results --quick"),
        new NamesExperimentRun()
            .command(
                "names",
                "Names discovered privately and counted over 100 windows of a synthetic stream, beside the"
                    + " published figures of DP-SQLP's Table 1.",
                OUT,
                OUT + " --full"),
        new TablesExperimentRun()
            .command(
                "tables",
                "All tables of one and two columns under the same (epsilon, delta): consistent ones of one draw"
                    + " beside one release a table, and beside noisy counts of all combinations.",
                OUT,
                "--data ../shared/data --out results",
                "--data ../shared/data/uci/Adult.csv.gz --out results --events 1"),
        new AttacksRun()
            .command(
                "attacks",
                "Attacks of the literature on every mechanism: what is promised over the best lower bound, by"
                    + " sums of exact chances and by draws.",
                OUT,
                OUT + " --draws 1000000"));
  }
}
