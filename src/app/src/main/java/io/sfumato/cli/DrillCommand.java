// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.drill.Drill;
import io.sfumato.drill.DrillCoverage;
import io.sfumato.drill.DrillReport;
import io.sfumato.drill.PartitionReport;
import io.sfumato.drill.StateComparison;
import io.sfumato.drill.StoreReport;
import io.sfumato.drill.Verdict;
import io.sfumato.files.PrivateFolder;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "drill",
    mixinStandardHelpOptions = true,
    description = {
      "Restores a pipeline's state from its changelogs, beside the running pipeline, and "
          + "compares it byte by byte.",
      "It compares with the local state of instances on this machine. A store without one "
          + "is restored twice. Ledgers are compared with their total. Nothing is written to "
          + "the cluster, and no group is joined.",
      "A running instance writes rows to disk now and then. Rows that it wrote since are not "
          + "compared, and the last line says how many. A clean stop writes all rows: drill "
          + "again before the instance starts, or, with 'run --embedded', after it has started."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything that was compared is the same",
      "1:the drill was cut short, or the pipeline wrote too often to compare ledgers: run it again",
      "5:the restored state differs, or cannot be restored"
    },
    footer = {
      "",
      "Examples:",
      "  sfumato drill pipeline.yaml                      on the machine of an instance",
      "  sfumato drill pipeline.yaml --data /var/lib/sfumato --secret-file noise.key -o json",
      "      with the secret, also that no charge is missing that the registry has counted",
      "",
      "What to do if it differs: docs/operate/backup.md"
    })
final class DrillCommand extends PipelineCommand.OnCluster {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder of local state, as 'run' was given it; by default .sfumato.")
  private Path data = EmbeddedFolder.DEFAULT;

  @Mixin private SecretOptions secrets;

  @Option(
      names = "--into",
      paramLabel = "DIR",
      description =
          "Empty folder for the restored state, which stays there and holds raw data: only its owner"
              + " may read it (chmod 700), and a new one is made so. By default it is restored into a"
              + " temporary folder.")
  private Optional<Path> into = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    KafkaSettings settings = cluster.reachBeside(pipeline.kafka(), data);
    if (into.isPresent()) {
      makeEmpty(into.get());
    }
    Optional<Path> embedded =
        new EmbeddedFolder(data).hasBroker() ? Optional.of(data) : Optional.empty();
    Optional<NoiseKey> key =
        Secrets.find(secrets.file, System.getenv(), embedded).map(NoiseSecret::derive);
    DrillReport report = new Drill(pipeline, settings, data, key, new ProgressStages()).run(into);
    output.print(json(pipeline, report), text(pipeline, report));
    return switch (report.verdict()) {
      case SAME -> ExitCode.OK.number();
      case UNSETTLED -> ExitCode.FAILED.number();
      case DIFFERENT -> ExitCode.STOPPED.number();
    };
  }

  private static void makeEmpty(Path folder) throws RefusedException {
    try {
      PrivateFolder.make(folder);
      try (Stream<Path> content = Files.list(folder)) {
        if (content.findAny().isPresent()) {
          throw new RefusedException(
              ExitCode.REFUSED_FILE,
              "folder %s is not empty: name an empty one with --into DIR".formatted(folder));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot write into folder %s (%s): make it writable, or name another one with --into DIR"
              .formatted(folder, e.getClass().getSimpleName()));
    }
  }

  private static ObjectNode json(Pipeline pipeline, DrillReport report) {
    ObjectNode json =
        JsonOrText.object()
            .put("budget", pipeline.budget().name())
            .put("verdict", report.verdict().text())
            .put("seconds", report.took().toMillis() / 1e3);
    DrillCoverage coverage = report.coverage();
    json.putObject("rows")
        .put("all", coverage.rows())
        .put("compared", coverage.compared())
        .put("changed_meanwhile", coverage.changed())
        .put("restored_twice", coverage.twice());
    ArrayNode partitions = json.putArray("partitions");
    for (PartitionReport partition : report.partitions()) {
      ObjectNode one =
          partitions
              .addObject()
              .put("partition", partition.partition())
              .put("verdict", partition.verdict().text())
              .put("one_moment", partition.isOfOneMoment())
              .put("ledgers", partition.ledgers().name().toLowerCase(Locale.ROOT));
      ArrayNode stores = one.putArray("stores");
      partition.stores().forEach(store -> add(stores.addObject(), store));
    }
    return json;
  }

  private static void add(ObjectNode json, StoreReport store) {
    json.put("store", store.store())
        .put("entries", store.entries())
        .put("bytes", store.bytes())
        .put("rows", store.rows());
    ArrayNode compared = json.putArray("compared");
    for (StoreReport.Compared copy : store.compared()) {
      StateComparison rows = copy.rows();
      compared
          .addObject()
          .put("local", copy.local().map(Path::toString).orElse(null))
          .put("same", rows.same())
          .put("changed_meanwhile", rows.changed())
          .put("only_restored", rows.onlyRestored())
          .put("only_other", rows.onlyOther())
          .put("different", rows.different());
    }
  }

  private String text(Pipeline pipeline, DrillReport report) {
    StringBuilder text = new StringBuilder();
    String row = "%-9s %-20s %10s %10s %10s %10s  %s%n";
    text.append(
        row.formatted(
            "partition", "store", "rows", "same", "meanwhile", "differ", "compared with"));
    report
        .stores()
        .forEach(
            store ->
                store
                    .compared()
                    .forEach(
                        copy ->
                            text.append(
                                row.formatted(
                                    store.partition(),
                                    store.store(),
                                    copy.rows().rows(),
                                    copy.rows().same(),
                                    copy.rows().changed(),
                                    copy.rows().differences(),
                                    copy.local()
                                        .map(Path::toString)
                                        .orElse("a second restoration")))));
    return text.append(sentence(pipeline, report)).toString();
  }

  private String sentence(Pipeline pipeline, DrillReport report) {
    long rows = report.stores().mapToLong(StoreReport::rows).sum();
    String restored =
        "budget %s: %s of %s restored in %.1f s"
            .formatted(
                pipeline.budget().name(),
                Plurals.of(rows, "row"),
                Plurals.of(report.partitions().size(), "partition"),
                report.took().toMillis() / 1e3);
    When when = new EmbeddedFolder(data).hasBroker() ? When.AFTER_START : When.BEFORE_START;
    return restored + "; " + compared(report.coverage(), when) + "; " + meaning(report);
  }

  /** When a drill after a clean stop has both: all rows on disk, and brokers that answer. */
  enum When {
    BEFORE_START("before it starts again"),
    /** The brokers stop with the pipeline. */
    AFTER_START("when it has started again");

    private final String words;

    When(String words) {
      this.words = words;
    }
  }

  /** How many rows of how many, and why not all. */
  static String compared(DrillCoverage coverage, When when) {
    String compared =
        "%,d of %s %s compared with local copies"
            .formatted(
                coverage.compared(),
                Plurals.of(coverage.rows(), "row"),
                coverage.rows() == 1 ? "was" : "were");
    List<String> rest = new ArrayList<>();
    if (coverage.changed() > 0) {
      rest.add(
          "%,d are newer than the copies on disk: stop the instance cleanly, which writes all rows, and drill %s"
              .formatted(coverage.changed(), when.words));
    }
    if (coverage.twice() > 0) {
      rest.add(
          "%,d were restored twice instead, since their stores have no usable copy in --data"
              .formatted(coverage.twice()));
    }
    return rest.isEmpty() ? compared : compared + " (" + String.join("; ", rest) + ")";
  }

  private static String meaning(DrillReport report) {
    Verdict verdict = report.verdict();
    return switch (verdict) {
      case SAME -> "everything that was compared is the same";
      case UNSETTLED ->
          "the pipeline wrote too often to compare ledgers with their total: run the drill again, "
              + "at a quieter time";
      case DIFFERENT ->
          "DIFFERENT in partition "
              + report.partitions().stream()
                  .filter(partition -> partition.verdict() == Verdict.DIFFERENT)
                  .map(DrillCommand::difference)
                  .toList()
              + ". Delete nothing: docs/operate/backup.md says what to do";
    };
  }

  private static String difference(PartitionReport partition) {
    long rows = partition.stores().stream().mapToLong(StoreReport::differences).sum();
    return "%d (%s%s)"
        .formatted(
            partition.partition(),
            Plurals.of(rows, "row"),
            switch (partition.ledgers()) {
              case DIFFERENT -> ", ledgers differ from their total";
              case BEHIND -> ", older than the registry's last count";
              case EQUAL, UNSETTLED, NOT_COUNTED -> "";
            });
  }
}
