// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Period;
import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.BeginsAnew;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "SEALS a budget's ledger, and writes it to a file with its number of entries and "
          + "digest.",
      "The pipeline releases what is closed and stops. It never starts again on this "
          + "budget. The file names subjects: only its owner may read it."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato ledger export old.yaml --for new.yaml --dry-run --secret-file noise.key",
      "      checks whether new.yaml can go on with the ledger, and seals nothing",
      "  sfumato ledger export old.yaml --for new.yaml --to diary.ledger --secret-file noise.key",
      "      checks the same first; then only new.yaml can import the file",
      "",
      "The secret is the one that the pipeline draws with: it signs the seal."
    })
final class LedgerExportCommand extends PipelineCommand.OnCluster {
  @Option(
      names = "--to",
      paramLabel = "LEDGER",
      description = "File to write; with --dry-run none is needed.")
  private Optional<Path> to = Optional.empty();

  @Option(
      names = "--for",
      paramLabel = "NEW",
      description =
          "File of the pipeline that continues with the ledger. Everything that its import "
              + "or first start would refuse is checked before the seal. No other pipeline can "
              + "import the ledger.")
  private Optional<Path> successor = Optional.empty();

  @Option(
      names = "--for-bootstrap-servers",
      paramLabel = "HOST:PORT,...",
      description = "Kafka cluster that NEW runs on, if it is another one; by default the same.")
  private Optional<String> successorServers = Optional.empty();

  @Option(
      names = "--dry-run",
      description = "Check everything, say what would happen, and seal nothing.")
  private boolean dryRun;

  @Option(
      names = "--stopped",
      description =
          "The pipeline does not run and cannot: windows that are closed but not released never"
              + " will be.")
  private boolean stopped;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long to wait for the pipeline, such as 5m; by default 2m.")
  private Duration timeout = Duration.ofMinutes(2);

  @Mixin private LocalSecretOptions secrets;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    if (to.isEmpty() && !dryRun) {
      throw new RefusedException(ExitCode.USAGE, "--to LEDGER is missing: the file to write");
    }
    Pipeline inFile = pipeline();
    Optional<Plan> next =
        successor.isPresent()
            ? Optional.of(PipelineCommand.planOf(successor.get()))
            : Optional.empty();
    KafkaSettings settings = cluster.settings(inFile.kafka(), secrets.data);
    NoiseKey key = secrets.require(settings).derive();
    ClusterOptions.requireAnswer(settings);
    Pipeline pipeline = PatternTopics.resolve(inFile, settings);
    warnOfRisk(pipeline, settings);
    BeginsAnew.of(pipeline).ifPresent(line -> output.aside().println("note: " + line));
    if (successor.isEmpty()) {
      output
          .aside()
          .println(
              "warning: without --for NEW, nothing checks that a pipeline can import this "
                  + "ledger, and sealing cannot be undone");
    }
    LedgerExport export = export(pipeline, settings, key, next);
    if (dryRun) {
      sayWhatWouldHappen(pipeline, next, export);
    } else {
      say(pipeline, settings, key, export.export(to.orElseThrow(), unreleased(), timeout));
    }
    return 0;
  }

  private LedgerExport export(
      Pipeline pipeline, KafkaSettings settings, NoiseKey key, Optional<Plan> next)
      throws RefusedException {
    Optional<LedgerExport.Successor> checked =
        next.isPresent()
            ? Optional.of(successor(next.get(), settingsOf(next.get())))
            : Optional.empty();
    return new LedgerExport(
        pipeline, settings, key, output.aside()::println, new ProgressStages(), checked);
  }

  private static LedgerExport.Successor successor(Plan next, KafkaSettings settings)
      throws RefusedException {
    return new LedgerExport.Successor(PatternTopics.resolve(next, settings), settings);
  }

  private KafkaSettings settingsOf(Plan next) throws RefusedException {
    return successorServers.isPresent()
        ? cluster.settingsAt(successorServers.get(), next.pipeline().kafka())
        : cluster.settings(next.pipeline().kafka(), secrets.data);
  }

  private LedgerExport.Unreleased unreleased() {
    return stopped ? LedgerExport.Unreleased.ABANDON : LedgerExport.Unreleased.RELEASE;
  }

  private void sayWhatWouldHappen(Pipeline pipeline, Optional<Plan> next, LedgerExport export)
      throws RefusedException {
    OptionalLong floor = export.check(to, unreleased());
    Optional<String> closed =
        floor.isEmpty()
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(floor.getAsLong()).toString());
    String budget = pipeline.budget().name();
    Optional<String> heir = next.map(plan -> plan.pipeline().budget().name());
    output.print(
        JsonOrText.object()
            .put("budget", budget)
            .put("for", heir.orElse(null))
            .put("closed_before", closed.orElse(null))
            .put("sealed", false),
        "dry run: nothing was sealed. The export would stop the pipeline of budget %s permanently; %s; at present, windows that start before %s would stay closed"
            .formatted(
                budget,
                heir.map(name -> "budget %s could import its ledger".formatted(name))
                    .orElse("no successor was checked (--for NEW)"),
                closed.orElse("the beginning")));
  }

  private void say(Pipeline pipeline, KafkaSettings settings, NoiseKey key, LedgerFile ledger)
      throws RefusedException {
    String file = ledger.path().toString();
    output.print(
        JsonOrText.object()
            .put("budget", pipeline.budget().name())
            .put("ledgers", ledger.ledgers())
            .put("file", file)
            .put("sha256", ledger.digest()),
        String.format(
            Locale.ROOT,
            "budget %s is sealed: %s in %s, sha256 %s%s",
            pipeline.budget().name(),
            Plurals.of(ledger.ledgers(), "ledger"),
            file,
            ledger.digest(),
            ledger.ledgers() == 0 ? System.lineSeparator() + none(pipeline, key, settings) : ""));
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
                "warning: on this cluster, 'sfumato ledger import' will need --accept-risk: "
                    + String.join("; ", risks));
      }
    }
  }

  /** What to look at where a ledger was expected. */
  static String none(Pipeline pipeline, NoiseKey key, KafkaSettings settings) {
    if (pipeline.budget().period() instanceof Period.Window) {
      return "0 ledgers is correct with 'period: window': each window has its own ledgers, "
          + "which end with it. The exported file records from when on windows may be released";
    }
    String periods =
        pipeline.calendar().isPresent()
            ? "all charges are older than a span, or the calendar needs no ledgers (the "
                + "exported file records from when on windows may be released)"
            : "all charges belong to past periods";
    return ("0 ledgers: nothing has been charged yet, or %s. If you expected ledgers, check "
            + "that the pipeline ran and released something with budget %s, %s, cluster %s "
            + "and noise key %s")
        .formatted(
            periods,
            pipeline.budget().name(),
            pipeline.input().topics().phrase(),
            settings.bootstrapServers(),
            key.tag());
  }
}
