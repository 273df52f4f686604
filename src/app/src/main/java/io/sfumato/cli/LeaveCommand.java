// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.schema.ControlCommand;
import picocli.CommandLine.Command;

@Command(
    name = "leave",
    mixinStandardHelpOptions = true,
    description = "Removes subjects from a pipeline's roster. Their ledgers stay.",
    footer = {"", "Example: sfumato leave pipeline.yaml ann"})
final class LeaveCommand extends RosterChange {
  LeaveCommand() {
    super(ControlCommand.LEAVE);
  }
}
