// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import picocli.CommandLine.Command;

@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = "Repeats the papers' experiments. Needs their data, and no broker.",
    synopsisSubcommandLabel = "EXPERIMENT",
    subcommands = {
      ExperimentNaiveBayesCommand.class,
      ExperimentBayesianNetworksCommand.class,
      ExperimentTightnessCommand.class,
      ExperimentKlCommand.class,
      ExperimentAbcToyCommand.class,
      ExperimentTuberculosisCommand.class,
      ExperimentRingCommand.class,
      ExperimentMixture1dCommand.class,
      ExperimentRandom1dCommand.class,
      ExperimentFiniteWorstCaseCommand.class,
      ExperimentPopulationCommand.class
    },
    footer = {"", "Example: sfumato experiment naive-bayes --data uci --out results"})
final class ExperimentCommand {}
