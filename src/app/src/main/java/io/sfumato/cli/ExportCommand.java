// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.export.RowFile;
import io.sfumato.client.export.RowFiles;
import io.sfumato.client.export.WindowExport;
import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.PipelineFile;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.window.CalendarWindows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Writes releases as rows of one form to a CSV, JSON lines, SQLite or Parquet file. Costs no"
          + " budget.",
      "Only complete windows are written: those that every partition of the pipeline has released."
          + " Windows of several topics have one order, so the slowest topic sets the pace.",
      "Without --follow the file is replaced. With it, rows are added to the file as windows are"
          + " completed. A CSV, JSON lines or Parquet file that exists is compared with the topics"
          + " first, and refused if it has other rows. docs/reference/rows.md describes the columns."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato export order-counts --to orders.csv",
      "  sfumato export order-counts order-means --to orders.sqlite --follow",
      "  sfumato export order-counts --to 2026.parquet --from 2026-01-01 --until 2027-01-01",
      "  sfumato export branch-sales --to march.csv --from 2026-03-01 --until 2026-04-01 \\",
      "      --zone Europe/London",
      "  sfumato export order-counts order-terms --to orders.csv --follow --file orders.yaml",
      "      writes windows before order-terms has its first release"
    })
final class ExportCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Mixin private FolderOptions nearby;

  @Parameters(
      paramLabel = "TOPIC",
      arity = "1..*",
      description =
          "Topics of outputs, of one pipeline or several. Topics of answers to queries and of rows"
              + " (NAME.rows) are refused.")
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
          "Only windows that start at this time or later: a day such as 2026-01-31, or ISO-8601 with"
              + " an offset. A day is one of --zone; without it, one of the window.zone of --file,"
              + " else of UTC.")
  private Optional<GivenTime> from = Optional.empty();

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only windows that start before this time.")
  private Optional<GivenTime> until = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Zone of days in --from and --until, such as Europe/London: the window.zone of the pipeline"
              + " file. Rows have times in UTC whatever it is.")
  private Optional<ZoneId> zone = Optional.empty();

  @Option(
      names = "--file",
      paramLabel = "PIPELINE",
      description =
          "Pipeline file of one or more of the topics; may be repeated. With --follow an empty"
              + " topic holds back all windows until its first release, unless a file says which"
              + " pipeline it belongs to.")
  private List<Path> files = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    List<Pipeline> pipelines = pipelines();
    WindowExport.Wanted wanted =
        new WindowExport.Wanted(topics, names(pipelines), range(zone(pipelines)), follow);
    KafkaSettings settings = cluster.reach(Map.of(), nearby.folder);
    try (RowFile file = RowFiles.of(to, follow);
        WindowExport export = new WindowExport(settings, SchemaRegistries.of(settings), wanted)) {
      catchUp(export, file);
      say(export);
      if (follow) {
        export.follow(
            file,
            () -> !Thread.currentThread().isInterrupted(),
            notices -> notices.forEach(System.err::println));
      }
    } catch (InterruptException e) {
      // Whoever follows has seen enough: all complete windows are in the file.
      Thread.currentThread().interrupt();
    } catch (CategoryColumns.AmbiguousException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, "%s cannot be continued: %s".formatted(to, e.getMessage()));
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
    return ExitCode.OK.number();
  }

  private List<Pipeline> pipelines() throws PipelineFileException {
    List<Pipeline> pipelines = new ArrayList<>();
    for (Path path : files) {
      pipelines.add(PipelineFile.read(path));
    }
    return pipelines;
  }

  /** Names of pipelines by topics of their outputs, as far as files say so. */
  private static Map<String, String> names(List<Pipeline> pipelines) {
    Map<String, String> names = new HashMap<>();
    for (Pipeline pipeline : pipelines) {
      pipeline.outputs().forEach(output -> names.put(output.topic(), pipeline.name()));
    }
    return names;
  }

  private WindowExport.Range range(ZoneId of) {
    return new WindowExport.Range(
        from.map(time -> time.in(of)).orElse(Instant.MIN),
        until.map(time -> time.in(of)).orElse(Instant.MAX));
  }

  /** The zone of days: that of the option, or else the one that all files have. */
  private ZoneId zone(List<Pipeline> pipelines) {
    if (zone.isPresent()) {
      return zone.get();
    }
    List<String> zones =
        pipelines.stream()
            .map(pipeline -> pipeline.window().calendar().map(CalendarWindows::zone).orElse("UTC"))
            .distinct()
            .toList();
    boolean hasDay = Stream.of(from, until).flatMap(Optional::stream).anyMatch(GivenTime::isDay);
    if (hasDay && zones.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "the pipeline files have the zones %s: give --zone, which says where days begin"
              .formatted(String.join(", ", zones)));
    }
    return ZoneId.of(zones.isEmpty() ? "UTC" : zones.get(0));
  }

  private void catchUp(WindowExport export, RowFile file) throws RefusedException, IOException {
    List<Progress> bar = new ArrayList<>();
    export.catchUp(
        file,
        (records, total) -> {
          if (bar.isEmpty()) {
            bar.add(new Progress(Terminal.forProgress(), "reading records", total));
          }
          bar.get(0).at(records);
        });
    bar.forEach(Progress::close);
  }

  private void say(WindowExport export) {
    System.err.println(
        Plurals.of(export.rows(), "row")
            + " to "
            + to
            + export
                .firstOpen()
                .map(start -> "; the window that starts " + start + " is not complete yet")
                .orElse("")
            + (export.rows() > 0 ? "" : export.outside().map("; "::concat).orElse("")));
    export.notices().forEach(System.err::println);
    if (!follow && !export.empty().isEmpty()) {
      System.err.println(
          "no release yet in "
              + String.join(", ", export.empty())
              + ": later releases may be of windows before those that are in the file");
    }
    if (!export.silent().isEmpty()) {
      System.err.println(
          "no window is complete yet of pipeline "
              + String.join(", ", export.silent())
              + ": it says so in its topic NAME-released after the first window that it releases");
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
