// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import picocli.CommandLine.Command;

@Command(
    name = "forget",
    mixinStandardHelpOptions = true,
    description = {
      "Erases what a pipeline holds of subjects, or of users if the budget protects " + "users.",
      "Deletes datasets of open windows, datasets of closed windows that still answer "
          + "queries, and sums over earlier windows, which start again. If users are protected, "
          + "sums stay, because they name nobody.",
      "Ledgers stay, because what was released stays released. Records in the source "
          + "topic stay too: delete them there."
    },
    footer = {"", "Example: sfumato forget pipeline.yaml ann bob"})
final class ForgetCommand extends SubjectsCommand {
  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipelineOfSubjects();
    send(
        pipeline,
        subject ->
            ControlEntry.newBuilder()
                .setCommand(ControlCommand.FORGET)
                .setSubject(subject)
                .build());
    output.print(
        JsonOrText.object()
            .put("command", ControlCommand.FORGET.toString())
            .put("subjects", subjects.size()),
        ("FORGET: %s. The pipeline erases open data when it reads this command, and its log "
                + "reports how many names had any. A misspelt name erases nothing: check that the "
                + "names are spelt as in the records")
            .formatted(
                Plurals.of(
                    subjects.size(), pipeline.population().isPresent() ? "user" : "subject")));
    return 0;
  }
}
