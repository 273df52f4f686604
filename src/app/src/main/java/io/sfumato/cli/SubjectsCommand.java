// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.record.CanonicalName;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlEntry;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Parameters;

/** Tells a pipeline something about subjects. */
abstract class SubjectsCommand extends PipelineCommand.OnNearbyCluster {
  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "SUBJECT",
      description = "Names of subjects.")
  List<String> subjects = List.of();

  /**
   * The pipeline, if the names are names.
   *
   * @throws RefusedException if one is empty, before anything is sent
   */
  final Pipeline pipelineOfSubjects() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    List<String> names =
        subjects.stream().flatMap(name -> CanonicalName.ofText(name).stream()).toList();
    if (names.size() < subjects.size()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "a subject's name is empty, longer than 256 bytes or has control characters: give "
              + "names as records have them; nothing was sent");
    }
    subjects = names;
    return pipeline;
  }

  /**
   * Sends an entry about each subject.
   *
   * @param entry of one name
   */
  final void send(Pipeline pipeline, Function<String, ControlEntry> entry) throws RefusedException {
    ControlCommands.send(reach(pipeline), pipeline, subjects.stream().map(entry).toList());
  }
}
