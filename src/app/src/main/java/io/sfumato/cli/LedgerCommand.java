// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import picocli.CommandLine.Command;

@Command(
    name = "ledger",
    mixinStandardHelpOptions = true,
    description = {
      "Carries a budget's ledger over to another pipeline file, topic or cluster, or to a "
          + "restored copy of its state.",
      "Needed for what an activated version cannot change: another window grid, other "
          + "categories, more partitions, a topic created again, another cluster."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LedgerExportCommand.class,
      LedgerImportCommand.class,
      LedgerAdoptCommand.class,
      LedgerFailOverCommand.class
    },
    footer = {
      "",
      "The route:",
      "  (copy old.yaml to new.yaml and change it; give it a new budget.name)",
      "  sfumato ledger export old.yaml --for new.yaml --dry-run --secret-file noise.key",
      "                                                      checks everything, seals nothing",
      "  sfumato ledger export old.yaml --for new.yaml --to diary.ledger --secret-file noise.key",
      "                                                      seals it: the old pipeline stops for"
          + " good",
      "  sfumato ledger import new.yaml --from diary.ledger --secret-file noise.key",
      "  sfumato run new.yaml ...                            windows that were open are read again"
    })
final class LedgerCommand {}
