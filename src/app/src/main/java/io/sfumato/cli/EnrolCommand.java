// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.schema.ControlCommand;
import picocli.CommandLine.Command;

@Command(
    name = "enrol",
    mixinStandardHelpOptions = true,
    description = {
      "Adds subjects to a pipeline's roster.",
      "Each is released in every window, even when it has no records."
    },
    footer = {"", "Example: sfumato enrol pipeline.yaml ann bob --from 2026-01-05T00:00:00Z"})
final class EnrolCommand extends RosterChange {
  EnrolCommand() {
    super(ControlCommand.ENROL);
  }
}
