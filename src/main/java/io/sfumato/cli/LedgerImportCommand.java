package io.sfumato.cli;

import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description =
        "Lets a pipeline with a new budget name go on with a sealed ledger. Windows that were released"
            + " before stay closed; those that were open are read again from the source topic. Once"
            + " more with the same file changes nothing.",
    footer = {"", "Example: sfumato ledger import pipeline-v2.yaml --from diary.ledger"})
final class LedgerImportCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Parameters(paramLabel = "FILE", description = "Pipeline file with the new budget name.")
  private Path file;

  @Option(names = "--from", required = true, paramLabel = "LEDGER", description = "Exported file.")
  private Path from;

  @Option(
      names = "--accept-risk",
      description = "Import into a cluster that could lose an acknowledged charge.")
  private boolean acceptRisk;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = PlanCommand.load(file);
    LedgerFile ledger = LedgerFile.read(from);
    LedgerImport.Outcome outcome =
        new LedgerImport(
                plan,
                cluster.settings(plan.pipeline().kafka()),
                acceptRisk ? Cluster.Safety.WAIVED : Cluster.Safety.REQUIRED)
            .importFrom(ledger);
    System.out.printf(
        "%s: %,d ledgers of budget %s go on as %s; windows that start before %s stay closed%n",
        outcome,
        ledger.image().lines().size(),
        ledger.budget(),
        plan.pipeline().budget().name(),
        ledger.image().floor() == Long.MIN_VALUE
            ? "the beginning"
            : Instant.ofEpochMilli(ledger.image().floor()));
    return 0;
  }
}
