// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.BeginsAnew;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = {
      "Lets a pipeline with a new budget name continue with a sealed ledger.",
      "Windows that were released stay closed. Those that were open are read again from "
          + "the source topic. If the import is interrupted, run it again; importing the same "
          + "file twice changes nothing."
    },
    footer = {
      "",
      "Example: sfumato ledger import new.yaml --from diary.ledger --secret-file noise.key",
      "      the secret that the new pipeline will draw with"
    })
final class LedgerImportCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Mixin private JsonOrText output;

  @Parameters(paramLabel = "FILE", description = "Pipeline file with the new budget name.")
  private Path file;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "LEDGER",
      description = "File that 'ledger export' wrote.")
  private Path from;

  @Option(
      names = "--accept-risk",
      description = "Import into a cluster that could lose an acknowledged charge.")
  private boolean acceptRisk;

  @Mixin private LocalSecretOptions secrets;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = PipelineCommand.planOf(file);
    KafkaSettings settings = cluster.settings(plan.pipeline().kafka(), secrets.data);
    NoiseKey key = secrets.require(settings).derive();
    LedgerFile ledger = LedgerFile.read(from, new ProgressStages());
    ClusterOptions.requireAnswer(settings);
    boolean waived = acceptRisk || secrets.isOfFolder(settings);
    LedgerImport route =
        new LedgerImport(
            PatternTopics.resolve(plan, settings),
            settings,
            key,
            waived ? Cluster.Safety.WAIVED : Cluster.Safety.REQUIRED,
            new ProgressStages());
    LedgerImport.Outcome outcome = route.importFrom(ledger);
    BeginsAnew.of(plan.pipeline()).ifPresent(line -> output.aside().println("note: " + line));
    warnOfSkipped(route.leftBehind());
    long ledgers = ledger.ledgers();
    String budget = plan.pipeline().budget().name();
    long closed = route.imageOf(ledger).floor();
    Optional<Instant> floor =
        closed == Long.MIN_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(closed));
    warnOfOtherClusters(ledger);
    output.print(
        JsonOrText.object()
            .put("outcome", outcome.toString())
            .put("ledgers", ledgers)
            .put("from", ledger.budget())
            .put("budget", budget)
            .put("closed_before", floor.map(Instant::toString).orElse(null)),
        String.format(
            Locale.ROOT,
            "%s: budget %s continues as %s with %s; windows that start before %s stay closed: "
                + "if their records are read again, they are dropped as LATE, because they were "
                + "counted before%n%s",
            outcome,
            ledger.budget(),
            budget,
            Plurals.of(ledgers, "ledger"),
            floor.map(Instant::toString).orElse("the beginning"),
            tickers(ledger.budget(), budget)));
    return 0;
  }

  /** Another cluster's registries are not read here. */
  private void warnOfOtherClusters(LedgerFile ledger) {
    output
        .aside()
        .println(
            ledger.facts().destination().isPresent()
                ? "note: only this cluster was checked for another import of this ledger. Do "
                    + "not import the file on another cluster: both budgets would spend the "
                    + "same remaining budget"
                : "warning: the file was exported without --for, and only this cluster was "
                    + "checked for another import of this ledger. Do not import the file on "
                    + "another cluster: both budgets would spend the same remaining budget");
  }

  private void warnOfSkipped(List<String> places) {
    if (places.isEmpty()) {
      return;
    }
    String said = String.join(" ", places);
    output
        .aside()
        .printf(
            "WARNING: the sealed budget skipped records under another noise key, and they WILL "
                + "COUNT here. Before the first run, skip those again that must not count:%n  "
                + "sfumato skip-record %s %s --secret-file FILE%n",
            file, said);
  }

  /** Ticks are a budget's, and those of another one are passed over in silence. */
  static String tickers(String former, String budget) {
    return "tickers need a new tick key, for budget %s (sfumato tick-key FILE KEYFILE): ticks for %s do not advance its clocks"
        .formatted(budget, former);
  }
}
