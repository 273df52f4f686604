// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.BeginsAnew;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description =
        "SEALS a budget's ledger and writes it to a file with its number of entries and digest. The"
            + " pipeline releases what is closed and stops; it never starts again on this budget. The"
            + " file names subjects: only its owner may read it.",
    footer = {
      "",
      "Example: sfumato ledger export pipeline.yaml --to diary.ledger --secret-file noise.key",
      "      the secret that the pipeline draws with: it signs the seal"
    })
final class LedgerExportCommand extends PipelineCommand.OnCluster {
  @Option(names = "--to", required = true, paramLabel = "LEDGER", description = "File to write.")
  private Path to;

  @Option(
      names = "--stopped",
      description =
          "The pipeline does not run and cannot: windows that are closed but not released never will be.")
  private boolean stopped;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long to wait for the pipeline such as 5m; by default 2m.")
  private Duration timeout = Duration.ofMinutes(2);

  @Mixin private LocalSecretOptions secrets;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    KafkaSettings settings = cluster.settings(pipeline.kafka(), secrets.data);
    NoiseKey key = secrets.require(settings).derive();
    ClusterOptions.requireAnswer(settings);
    warnOfRisk(pipeline, settings);
    BeginsAnew.of(pipeline).ifPresent(line -> output.aside().println("note: " + line));
    LedgerFile ledger =
        new LedgerExport(pipeline, settings, key, output.aside()::println, new ProgressStages())
            .export(
                to,
                stopped ? LedgerExport.Unreleased.ABANDON : LedgerExport.Unreleased.RELEASE,
                timeout);
    output.print(
        JsonOrText.object()
            .put("budget", pipeline.budget().name())
            .put("ledgers", ledger.ledgers())
            .put("file", to.toString())
            .put("sha256", ledger.digest()),
        String.format(
            Locale.ROOT,
            "budget %s is sealed: %s in %s, sha256 %s%s",
            pipeline.budget().name(),
            Amount.of(ledger.ledgers(), "ledger"),
            to,
            ledger.digest(),
            ledger.ledgers() == 0 ? System.lineSeparator() + none(pipeline, key, settings) : ""));
    return 0;
  }

  /** A seal is for good: whoever means to go on here hears before what an import will ask. */
  private void warnOfRisk(Pipeline pipeline, KafkaSettings settings) throws RefusedException {
    if (secrets.isOfFolder(settings)) {
      return;
    }
    try (Cluster admin = new Cluster(settings)) {
      List<String> risks = admin.safety().risks(pipeline);
      if (!risks.isEmpty()) {
        output
            .aside()
            .println(
                "warning: to go on on this cluster, 'sfumato ledger import' will need --accept-risk: "
                    + String.join("; ", risks));
      }
    }
  }

  /** What to look at where a ledger was expected. */
  static String none(Pipeline pipeline, NoiseKey key, KafkaSettings settings) {
    String periods =
        pipeline.calendar().isPresent()
            ? "all of it has left every span, or the calendar needs none: the file says from when on"
                + " windows may be released"
            : "all of it lies in periods that are over";
    return ("0 ledgers: nobody was charged for anything yet, or %s."
            + " If that is a surprise: was the pipeline started, and did it release anything, on budget"
            + " %s, from topic %s, at %s, with noise key %s?")
        .formatted(
            periods,
            pipeline.budget().name(),
            pipeline.input().topic(),
            settings.bootstrapServers(),
            key.tag());
  }
}
