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
    description =
        "Deletes what a pipeline holds of subjects: datasets of open windows, closed ones that"
            + " still answer queries, and sums over earlier windows, which begin anew. Where users"
            + " are protected the names are users', and sums stay, since they name nobody. Ledgers"
            + " stay, since what was released stays released; so do the records in the source"
            + " topic, which is not this program's.",
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
