// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "skip",
    mixinStandardHelpOptions = true,
    description = {
      "Skips a release that fails, so that its partition can continue.",
      "The release is charged and refused with OPERATOR_SKIPPED."
    },
    footer = {
      "",
      "Example: sfumato skip pipeline.yaml 3f9a02c41b77d8e5",
      "  (the tag is in the message with which the pipeline stopped)"
    })
final class SkipCommand extends PipelineCommand.OnNearbyCluster {
  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "ID",
      description =
          "Tags of the failed releases, from the message with which the pipeline stopped.")
  private List<String> tags = List.of();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    for (String tag : tags) {
      if (!tag.matches(NoiseKey.LOG_TAG)) {
        throw new RefusedException(
            ExitCode.USAGE,
            "'%s' is not a release tag: 16 hexadecimal digits, as in the pipeline's log"
                .formatted(tag));
      }
    }
    List<ControlEntry> entries =
        tags.stream()
            .map(
                tag ->
                    ControlEntry.newBuilder()
                        .setCommand(ControlCommand.SKIP)
                        .setBudget(pipeline.budget().name())
                        .setRelease(tag)
                        .build())
            .toList();
    ControlCommands.send(reach(pipeline), pipeline, entries);
    output.print(
        JsonOrText.object()
            .put("command", ControlCommand.SKIP.toString())
            .put("releases", tags.size())
            .put("refusals_topic", pipeline.refusalsTopic()),
        "SKIP: %s; see OPERATOR_SKIPPED in %s"
            .formatted(Plurals.of(tags.size(), "release"), pipeline.refusalsTopic()));
    return 0;
  }
}
