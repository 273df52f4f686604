// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What enrolling and leaving have in common. */
abstract class RosterChange extends SubjectsCommand {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Event time from which it holds. Windows already closed stay as they are. "
              + GivenTime.DAY
              + " By default the first open window.")
  private Optional<GivenTime> given = Optional.empty();

  private final ControlCommand command;

  RosterChange(ControlCommand command) {
    this.command = command;
  }

  @Override
  public final Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipelineOfSubjects();
    if (pipeline.subjects() != Pipeline.Subjects.ROSTER) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + switch (pipeline.subjects()) {
                case LISTED -> ": its subjects are fixed by the list in the file";
                case DISCOVERED ->
                    ": its subjects are selected privately (discover); 'enrol' and 'leave' are "
                        + "not available, because 'most' and 'forget-names' depend only on "
                        + "published outputs";
                case OBSERVED, ROSTER ->
                    ": has no roster; set 'subjects: roster' in the file to release every "
                        + "enrolled subject";
              });
    }
    Optional<Instant> from = given.map(time -> time.in(pipeline.window()));
    send(
        pipeline,
        subject ->
            ControlEntry.newBuilder()
                .setCommand(command)
                .setSubject(subject)
                .setFrom(from.orElse(null))
                .build());
    output.print(
        JsonOrText.object()
            .put("command", command.toString())
            .put("subjects", subjects.size())
            .put("from", from.map(Instant::toString).orElse(null)),
        "%s: %s from %s"
            .formatted(
                command,
                Plurals.of(subjects.size(), "subject"),
                from.map(Instant::toString).orElse("the first open window")));
    return 0;
  }
}
