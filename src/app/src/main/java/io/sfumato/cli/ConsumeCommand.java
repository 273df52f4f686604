// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.OutputReader;
import io.sfumato.client.ReleaseTable;
import io.sfumato.client.WholeLists;
import io.sfumato.client.export.CsvPrinter;
import io.sfumato.console.Terminal;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Releases;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.LocalTimes;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.TextLength;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.schema.DeadLetter;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.JsonRecords;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RowDecoder;
import io.sfumato.serde.RowText;
import io.sfumato.serde.SchemaSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "consume",
    mixinStandardHelpOptions = true,
    description =
        "Prints the releases, answers, refusals, dead letters or rows of a topic, from its"
            + " beginning; committed records only.",
    footer = {
      "",
      "Examples:",
      "  sfumato consume weekly-mix",
      "  sfumato consume weekly-mix -o json | jq .probabilities",
      "  sfumato consume weekly-mix -o csv > weekly-mix.csv",
      "      rows of one form; 'sfumato export' writes complete windows alone",
      "  sfumato consume ward-counts --follow --file monthly.yaml",
      "      says of which window the next release is",
      "  sfumato consume glucose-diary-refusals --follow"
    })
final class ConsumeCommand implements Callable<Integer> {
  /** How records are printed. */
  enum Shape {
    TABLE,
    JSON,
    CSV
  }

  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  @Mixin private FolderOptions nearby;

  @Parameters(
      paramLabel = "TOPIC",
      description = "Topic of an output, refusals, dead letters or rows.")
  private String topic;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "Format: table, json (one line a record, with its type first) or csv (one line a"
              + " row, docs/reference/rows.md); by default table.")
  private Shape shape = Shape.TABLE;

  @Option(names = "--follow", description = "Wait for more after the last record.")
  private boolean follow;

  @Option(
      names = "--file",
      paramLabel = "PIPELINE",
      description =
          "Pipeline file. Standard error then says, after the last record, of which window "
              + "the next release is. Times are those of the file's window.zone, if it has one.")
  private Optional<Path> file = Optional.empty();

  @Option(names = "--max", paramLabel = "N", description = "Stop after so many records.")
  private long max = Long.MAX_VALUE;

  /** Whether it is said or given in which zone times are. */
  private boolean hasZone;

  /** How times of windows are written. */
  private LocalTimes times = LocalTimes.UTC;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    if (max < 1) {
      throw new ParameterException(
          spec.commandLine(), "--max: found " + max + ", allowed is 1 or more");
    }
    refuseFile();
    Optional<Waiting> waiting =
        file.isPresent() ? Optional.of(waiting(file.get())) : Optional.empty();
    PrintWriter out = Terminal.over(spec.commandLine().getOut());
    AtomicLong seen = new AtomicLong();
    AtomicLong foreign = new AtomicLong();
    WholeLists lists = new WholeLists();
    KafkaSettings settings = cluster.reach(Map.of(), nearby.folder);
    if (shape == Shape.CSV) {
      return csv(settings, out);
    }
    SchemaSource schemas = SchemaRegistries.of(settings);
    new OutputReader(settings)
        .read(
            List.of(topic),
            follow ? OutputReader.Ending.NEVER : OutputReader.Ending.AT_END,
            () -> waiting.ifPresent(Waiting::say),
            record -> {
              print(record, schemas, out, foreign, waiting, lists);
              return seen.incrementAndGet() < max && isRead(out);
            });
    lists.rest().forEach(part -> out.println(line(part)));
    if (seen.get() == 0) {
      System.err.println("topic " + topic + " holds no record yet");
    }
    if (foreign.get() > 0) {
      System.err.println(
          Plurals.of(foreign.get(), "record of ", "records of ")
              + topic
              + " left out: no outputs of Sfumato, or their schemas are in a registry that is not named"
              + " (schema.registry.url), or their kind's library is not on the class path"
              + " (SFUMATO_CLASS_PATH)");
    }
    return 0;
  }

  /** Whether somebody reads on: a pipe to {@code head} is closed after some lines. */
  private boolean isRead(PrintWriter out) {
    // The command's writer does not see what standard output swallows.
    return !follow || !out.checkError() && !System.out.checkError();
  }

  /** Rows, of lists too that are several records. */
  private int csv(KafkaSettings settings, PrintWriter out) throws RefusedException {
    SchemaSource schemas = SchemaRegistries.of(settings);
    WholeLists lists = new WholeLists();
    AtomicLong seen = new AtomicLong();
    AtomicLong without = new AtomicLong();
    try (CsvPrinter rows = new CsvPrinter(out)) {
      new OutputReader(settings)
          .read(
              List.of(topic),
              follow ? OutputReader.Ending.NEVER : OutputReader.Ending.AT_END,
              rows::caughtUp,
              record -> {
                Instant released = Instant.ofEpochMilli(record.timestamp());
                boolean isRow =
                    ForeignBytes.ifReadable(() -> Outputs.decodeAny(record.value(), schemas))
                        .filter(output -> Releases.viewOf(output).isPresent())
                        .map(
                            output -> {
                              lists.add(output).ifPresent(whole -> rows.add(whole, released));
                              return true;
                            })
                        .or(
                            () ->
                                RowDecoder.row(record.value(), schemas).map(row -> add(row, rows)))
                        .orElse(false);
                without.addAndGet(isRow ? 0 : 1);
                return seen.incrementAndGet() < max && isRead(out);
              });
      rows.caughtUp();
    } catch (CsvPrinter.NewColumnException e) {
      throw e.refused();
    } catch (IOException | UncheckedIOException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "rows wait in a temporary folder, which cannot be written: %s. Set TMPDIR to another one"
              .formatted(e.getMessage()));
    }
    if (without.get() > 0) {
      System.err.println(
          "%s of %s left out: only releases and answers have rows"
              .formatted(Plurals.of(without.get(), "record"), topic));
    }
    return 0;
  }

  private static boolean add(PublishedRow row, CsvPrinter rows) {
    rows.add(row);
    return true;
  }

  /** Other commands take a pipeline file there: whoever gives one is told its topics. */
  private void refuseFile() throws PipelineFileException {
    Path given = Path.of(topic);
    if (topic.matches(".*\\.ya?ml") && Files.isRegularFile(given)) {
      throw new ParameterException(
          spec.commandLine(),
          given
              + " is a pipeline file: name one of its topics, "
              + PipelineFile.read(given).writtenTopics());
    }
  }

  private Waiting waiting(Path pipelineFile) throws PipelineFileException {
    Pipeline pipeline = PipelineFile.read(pipelineFile);
    NextWindow next = new NextWindow(pipeline);
    times = pipeline.window().times();
    hasZone = true;
    return new Waiting(
        next,
        next.releaseOf(topic)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--file: no release of " + pipelineFile + " is published to " + topic)),
        System.err::println);
  }

  private String line(IndexedRecord output) {
    if (shape == Shape.JSON) {
      return JsonRecords.typedLine(output);
    }
    return ReleaseTable.line(
        output, System.console() == null ? TextLength.WHOLE : TextLength.TERMINAL, times);
  }

  /** A dead letter says where its record lies; when it came stands in its timestamp alone. */
  private String line(IndexedRecord output, Instant at) {
    return shape == Shape.JSON ? JsonRecords.typedLine(output, at) : ReleaseTable.line(output, at);
  }

  /** Records do not say the zone of their windows: whoever reads local days is told so once. */
  private void sayZone(IndexedRecord output) {
    if (!hasZone && shape == Shape.TABLE && Releases.viewOf(output).isPresent()) {
      hasZone = true;
      System.err.println(
          "times are in UTC; --file PIPELINE shows them in the zone of its window.zone");
    }
  }

  /** A row of a pipeline with {@code rows: true}. */
  private String line(PublishedRow row) {
    return shape == Shape.JSON
        ? RowText.json(row, CategoryColumns.of(row.row().group().fields()))
        : ReleaseTable.line(row, times);
  }

  private void print(
      ConsumerRecord<byte[], byte[]> record,
      SchemaSource schemas,
      PrintWriter out,
      AtomicLong foreign,
      Optional<Waiting> waiting,
      WholeLists lists) {
    Optional<Optional<String>> line =
        ForeignBytes.ifReadable(
            () -> {
              IndexedRecord output = Outputs.decodeAny(record.value(), schemas);
              waiting.ifPresent(next -> next.saw(output));
              sayZone(output);
              if (output instanceof DeadLetter) {
                return Optional.of(line(output, Instant.ofEpochMilli(record.timestamp())));
              }
              // Programs get the records as they are.
              return (shape == Shape.JSON ? Optional.of(output) : lists.add(output))
                  .map(this::line);
            });
    line.or(() -> RowDecoder.row(record.value(), schemas).map(row -> Optional.of(line(row))))
        .ifPresentOrElse(found -> found.ifPresent(out::println), foreign::incrementAndGet);
  }
}
