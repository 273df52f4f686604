// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "enrol",
    mixinStandardHelpOptions = true,
    description =
        "Adds subjects to a pipeline's roster: each is released every window, records or none.",
    footer = {"", "Example: sfumato enrol pipeline.yaml ann bob --from 2026-01-05T00:00:00Z"})
final class EnrolCommand extends RosterChange implements Callable<Integer> {
  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    return change(ControlCommand.ENROL);
  }
}
