// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import picocli.CommandLine.Command;

@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    description = "Finds the parameters of releases at (epsilon, delta). Needs no broker.",
    synopsisSubcommandLabel = "MECHANISM",
    subcommands = {
      CalibrateDirichletCommand.class,
      CalibrateGaussianCommand.class,
      CalibrateLaplaceCommand.class,
      CalibrateMeanCommand.class,
      CalibrateQuantileCommand.class,
      CalibrateTablesCommand.class,
      CalibrateRunningCountCommand.class,
      CalibrateDiscoveryCommand.class,
      CalibrateFeaturesCommand.class,
      CalibrateRejectionCommand.class,
      CalibrateSoftCommand.class,
      CalibrateSparseVectorCommand.class,
      CalibrateMollifierCommand.class
    },
    footer = {
      "",
      "Example: sfumato calibrate dirichlet --categories 6 --plan 119,74,618,272,13,187 --epsilon 1"
          + " --delta 1e-5"
    })
final class CalibrateCommand {}
