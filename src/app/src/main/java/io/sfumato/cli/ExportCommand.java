// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.export.RowFile;
import io.sfumato.client.export.RowFiles;
import io.sfumato.client.export.WindowExport;
import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Writes releases as rows of one form to a CSV, JSON lines, SQLite or Parquet file. Costs no"
          + " budget.",
      "Only complete windows are written: those that every partition of the pipeline has released."
          + " Without --follow the file is written anew. With it, rows are added to the file as"
          + " windows are completed. docs/reference/rows.md describes the columns."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato export order-counts --to orders.csv",
      "  sfumato export order-counts order-means --to orders.sqlite --follow",
      "  sfumato export order-counts --to 2026.parquet --from 2026-01-01 --until 2027-01-01"
    })
final class ExportCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Mixin private FolderOptions nearby;

  @Parameters(
      paramLabel = "TOPIC",
      arity = "1..*",
      description = "Topics of outputs, of one pipeline or several.")
  private List<String> topics = List.of();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FILE",
      description =
          "File that ends in .csv, .jsonl, .sqlite or .parquet. Parquet is a folder with a file for"
              + " each window, and needs an optional part of the installation (lib-parquet).")
  private Path to;

  @Option(names = "--follow", description = "Go on as windows are completed, until Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Only windows that start at this time or later: a day in UTC such as 2026-01-31, or"
              + " ISO-8601 with an offset.")
  private Optional<GivenTime> from = Optional.empty();

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only windows that start before this time.")
  private Optional<GivenTime> until = Optional.empty();

  @Override
  public Integer call() throws RefusedException {
    KafkaSettings settings = cluster.reach(Map.of(), nearby.folder);
    WindowExport.Range range =
        new WindowExport.Range(
            from.map(GivenTime::utc).orElse(Instant.MIN),
            until.map(GivenTime::utc).orElse(Instant.MAX));
    try (RowFile file = RowFiles.of(to, follow);
        WindowExport export =
            new WindowExport(settings, SchemaRegistries.of(settings), List.copyOf(topics), range)) {
      catchUp(export, file);
      say(export);
      if (follow) {
        export.follow(file, () -> !Thread.currentThread().isInterrupted());
      }
      sayLate(export);
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot read from %s: %s"
              .formatted(settings.bootstrapServers(), ClientErrors.words(e, settings)));
    } catch (IOException | UncheckedIOException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "%s cannot be written: %s. Check the path and the space on the disk, or name another file"
              .formatted(to, e.getMessage()));
    }
    return 0;
  }

  private void catchUp(WindowExport export, RowFile file) throws RefusedException, IOException {
    List<Progress> bar = new ArrayList<>();
    export.catchUp(
        file,
        (records, total) -> {
          if (bar.isEmpty()) {
            bar.add(new Progress(Terminal.forProgress(), "reading", total));
          }
          bar.get(0).at(records);
        });
    bar.forEach(Progress::close);
  }

  private void sayLate(WindowExport export) {
    if (export.late() > 0) {
      System.err.println(
          "%s left out: their windows are in the file already. Export to a new file to have them"
              .formatted(Plurals.of(export.late(), "release")));
    }
  }

  private void say(WindowExport export) {
    System.err.println(
        Plurals.of(export.rows(), "row")
            + " to "
            + to
            + export
                .firstOpen()
                .map(start -> "; the window that starts " + start + " is not complete yet")
                .orElse(""));
    if (!export.silent().isEmpty()) {
      System.err.println(
          "no window is complete yet of "
              + String.join(", ", export.silent())
              + ": a pipeline says so after the first window that it releases");
    }
    if (export.foreign() > 0) {
      System.err.println(
          Plurals.of(export.foreign(), "record")
              + " left out: no releases of Sfumato, or their schemas lie in a registry that is not"
              + " named (schema.registry.url), or their kind's library is not on the class path"
              + " (SFUMATO_CLASS_PATH)");
    }
  }
}
