// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What enrolling and leaving have in common. */
abstract class RosterChange {
  @Mixin private ClusterOptions cluster;

  @Mixin private JsonOrText output;

  @Parameters(index = "0", paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "SUBJECT", description = "Subjects.")
  private List<String> subjects = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Event time from which it holds; by default the first window that is still open. Windows"
              + " already closed stay as they are.")
  private Optional<Instant> from = Optional.empty();

  int change(ControlCommand command) throws PipelineFileException, RefusedException {
    Pipeline pipeline = PipelineFile.read(file);
    ControlCommands.requireNames(subjects);
    if (pipeline.subjects() != Pipeline.Subjects.ROSTER) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + (pipeline.subjects() == Pipeline.Subjects.LISTED
                  ? ": its subjects are those of its list"
                  : ": has no roster; set 'subjects: roster' to release every enrolled subject"));
    }
    List<ControlEntry> entries =
        subjects.stream()
            .map(
                subject ->
                    ControlEntry.newBuilder()
                        .setCommand(command)
                        .setSubject(subject)
                        .setFrom(from.orElse(null))
                        .build())
            .toList();
    ControlCommands.send(cluster.reach(pipeline.kafka()), pipeline, entries);
    output.print(
        JsonOrText.object()
            .put("command", command.toString())
            .put("subjects", subjects.size())
            .put("from", from.map(Instant::toString).orElse(null)),
        "%s: %s from %s"
            .formatted(
                command,
                Amount.of(subjects.size(), "subject"),
                from.map(Instant::toString).orElse("the first window that is still open")));
    return 0;
  }
}
