// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.Terminal;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.Plan;
import io.sfumato.topology.TopologyReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "describe",
    mixinStandardHelpOptions = true,
    description = "Shows the Kafka Streams topology of a pipeline file. Needs no broker.",
    footer = {"", "Example: sfumato describe topology/diary.yaml -o mermaid"})
final class DescribeCommand implements Callable<Integer> {
  /** How the topology is drawn. */
  enum Drawing {
    TEXT,
    JSON,
    MERMAID
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Format: text, json or mermaid.")
  private Drawing drawing = Drawing.TEXT;

  @Override
  public Integer call() throws PipelineFileException {
    Plan plan = PipelineCommand.planOf(file);
    String drawn =
        switch (drawing) {
          case TEXT -> TopologyReport.text(plan);
          case JSON -> TopologyReport.json(plan).toPrettyString() + System.lineSeparator();
          case MERMAID -> TopologyReport.mermaid(plan);
        };
    Terminal.over(spec.commandLine().getOut()).print(drawn);
    Terminal.over(spec.commandLine().getOut()).flush();
    return 0;
  }
}
