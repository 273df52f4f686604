// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.OutputReader;
import io.sfumato.client.ReleaseTable;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.serde.CorruptBytesException;
import io.sfumato.serde.JsonRecords;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "consume",
    mixinStandardHelpOptions = true,
    description =
        "Prints releases, refusals or dead letters: what is committed, from the topic's beginning.",
    footer = {
      "",
      "Examples:",
      "  sfumato consume weekly-mix",
      "  sfumato consume weekly-mix -o json | jq .probabilities",
      "  sfumato consume glucose-diary-refusals --follow"
    })
final class ConsumeCommand implements Callable<Integer> {
  /** How records are printed. */
  enum Shape {
    TABLE,
    JSON
  }

  @Mixin private ClusterOptions cluster;

  @Parameters(paramLabel = "TOPIC", description = "Topic of a release, refusals or dead letters.")
  private String topic;

  @Option(
      names = {"-o", "--output"},
      description = "table or json (one line a record); by default table.")
  private Shape shape = Shape.TABLE;

  @Option(names = "--follow", description = "Wait for more behind the last record.")
  private boolean follow;

  @Option(names = "--max", description = "Stop after so many records.")
  private long max = Long.MAX_VALUE;

  @Override
  public Integer call() throws RefusedException {
    PrintStream out = System.out;
    AtomicLong seen = new AtomicLong();
    AtomicLong foreign = new AtomicLong();
    ReleaseTable table = new ReleaseTable(out);
    KafkaSettings settings = cluster.settings(Map.of());
    SchemaSource schemas = SchemaRegistries.of(settings);
    new OutputReader(settings)
        .read(
            List.of(topic),
            follow ? OutputReader.Ending.NEVER : OutputReader.Ending.AT_END,
            record -> {
              print(record, schemas, table, foreign);
              return seen.incrementAndGet() < max;
            });
    if (foreign.get() > 0) {
      System.err.println(
          foreign.get()
              + " records of "
              + topic
              + " are no outputs of Sfumato, or their schemas lie in a registry that is not named"
              + " (schema.registry.url)");
    }
    return 0;
  }

  private void print(
      ConsumerRecord<byte[], byte[]> record,
      SchemaSource schemas,
      ReleaseTable table,
      AtomicLong foreign) {
    IndexedRecord output;
    try {
      output = Outputs.decodeAny(record.value(), schemas);
    } catch (CorruptBytesException e) {
      foreign.incrementAndGet();
      return;
    }
    if (shape == Shape.JSON) {
      System.out.println(JsonRecords.line(output));
    } else {
      table.print(output);
    }
  }
}
