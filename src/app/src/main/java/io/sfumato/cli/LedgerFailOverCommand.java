// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.FailOver;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "fail-over",
    mixinStandardHelpOptions = true,
    description = {
      "Lets a pipeline with a new budget name continue where the former ledger is lost, such as "
          + "on a mirrored cluster.",
      "Every window before a time counts as spent, and so does every period that holds such a "
          + "window. The former budget is sealed on this cluster. Stop its instances, or cut "
          + "them off, wherever they run, before you run this command."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the new budget can start, or could before",
      "5:the time is too early, or nothing is left; nothing was changed"
    },
    footer = {
      "",
      "Example:",
      "  sfumato ledger fail-over new.yaml --former old.yaml --stopped-at 2026-03-05T09:30:00Z \\",
      "      --dry-run --secret-file noise.key",
      "      says from which window on new.yaml can release"
    })
final class LedgerFailOverCommand extends PipelineCommand.OnCluster {
  @Option(
      names = "--former",
      required = true,
      paramLabel = "OLD",
      description = "Last file of the former pipeline.")
  private Path former;

  @Option(
      names = "--stopped-at",
      required = true,
      paramLabel = "TIME",
      description = "Time from which no instance of the former pipeline ran, on any cluster.")
  private Instant stoppedAt;

  @Option(
      names = "--spent-until",
      paramLabel = "TIME",
      description =
          "Time before which every window counts as spent. The default is the earliest time "
              + "allowed: --stopped-at and window.max-ahead, or the end of the last window that "
              + "this cluster shows.")
  private Optional<Instant> spentUntil = Optional.empty();

  @Option(
      names = "--append-time",
      description =
          "The former records' topic had message.timestamp.type=LogAppendTime. Without it, the "
              + "earliest time is later by window.max-ahead, or an hour if that is more.")
  private boolean appendTime;

  @Option(names = "--dry-run", description = "Check everything and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--accept-risk",
      description = "Continue on a cluster that could lose an acknowledged charge.")
  private boolean acceptRisk;

  @Mixin private LocalSecretOptions secrets;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = plan();
    Plan before = planOf(former);
    KafkaSettings settings = cluster.settings(plan.pipeline().kafka(), secrets.data);
    NoiseKey key = secrets.require(settings).derive();
    ClusterOptions.requireAnswer(settings);
    boolean waived = acceptRisk || secrets.isOfFolder(settings);
    FailOver route =
        new FailOver(
            new FailOver.Former(before, stoppedAt, spentUntil, appendTime),
            plan,
            settings,
            key,
            waived ? Cluster.Safety.WAIVED : Cluster.Safety.REQUIRED);
    FailOver.Outcome outcome = dryRun ? route.check() : route.apply();
    print(before.pipeline().budget().name(), plan, outcome);
    return 0;
  }

  private void print(String from, Plan plan, FailOver.Outcome outcome) {
    String budget = plan.pipeline().budget().name();
    String seen =
        outcome
            .seenUntil()
            .map("this cluster shows windows of %s up to %%s".formatted(from)::formatted)
            .orElse("this cluster shows no window of " + from);
    output.print(
        JsonOrText.object()
            .put("from", from)
            .put("budget", budget)
            .put("spent_until", outcome.spentUntil().toString())
            .put("first_window", outcome.firstWindow().toString())
            .put("seen_until", outcome.seenUntil().map(Instant::toString).orElse(null))
            .put("changed", outcome.isNew() && !dryRun),
        "%s; everything before %s counts as spent%nthe first window that budget %s releases starts at %s; records of earlier windows are dropped as LATE%n%s"
            .formatted(
                seen,
                outcome.spentUntil(),
                budget,
                outcome.firstWindow(),
                dryRun
                    ? "nothing was changed (--dry-run)"
                    : LedgerImportCommand.tickers(from, budget)));
  }
}
