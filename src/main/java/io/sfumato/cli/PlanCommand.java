package io.sfumato.cli;

import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlanReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description =
        "Shows what a pipeline will cost, how long its budget lasts and what error to expect. Needs no broker.",
    footer = {"", "Example: sfumato plan topology/diary.yaml"})
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Option(
      names = {"-o", "--output"},
      description = "text or json.")
  private Format format = Format.TEXT;

  @Override
  public Integer call() throws PipelineFileException {
    Plan plan = load(file);
    spec.commandLine()
        .getOut()
        .println(format == Format.JSON ? PlanReport.json(plan) : PlanReport.text(plan));
    return 0;
  }

  static Plan load(Path file) throws PipelineFileException {
    return Plan.of(file.toString(), PipelineFile.read(file));
  }
}
