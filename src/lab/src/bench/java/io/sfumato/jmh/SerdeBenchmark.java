// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.bench.ProtobufEvents;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.SourceRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Records as they come in, and the journal between intake and keeper. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SerdeBenchmark {
  private static final long NOW = 1_767_225_600_000L;
  private static final int BATCH = 500;

  private EventReader json;
  private EventReader avro;
  private EventReader protobuf;
  private byte[] jsonValue;
  private byte[] avroValue;
  private byte[] protobufValue;
  private Observations batch;
  private byte[] encodedBatch;

  @Setup
  public void setUp() throws Exception {
    InputSpec input = Plans.histogram(32).pipeline().input();
    json = new EventReader(input);
    avro = new EventReader(Plans.avro().pipeline().input());
    jsonValue =
        "{\"subject\":\"user-0000001\",\"at\":1767225600000,\"category\":\"c017\"}"
            .getBytes(StandardCharsets.UTF_8);
    avroValue =
        Outputs.encode(new UserRecord("user-0000001", Instant.ofEpochMilli(NOW), "c017", null));
    ProtobufEvents messages = new ProtobufEvents(List.of("subject", "at", "category"));
    InputSpec ofMessages = Plans.protobuf().pipeline().input();
    protobuf =
        new EventReader(ofMessages, Optional.empty(), messages.schemas(), WindowSpec.MAX_AHEAD);
    protobufValue = messages.event("user-0000001", NOW, "c017");
    batch =
        new Observations(
            IntStream.range(0, BATCH)
                .mapToObj(i -> new Observation("user-%07d".formatted(i), NOW, i % 32, List.of(), 0))
                .toList());
    encodedBatch = JournalCodec.encode(batch);
  }

  @Benchmark
  public Event readJson() throws RejectedRecordException {
    return json.read(record(jsonValue)).orElseThrow();
  }

  @Benchmark
  public Event readAvro() throws RejectedRecordException {
    return avro.read(record(avroValue)).orElseThrow();
  }

  @Benchmark
  public Event readProtobuf() throws RejectedRecordException {
    return protobuf.read(record(protobufValue)).orElseThrow();
  }

  /** 500 records. */
  @Benchmark
  public byte[] encodeJournalEntry() {
    return JournalCodec.encode(batch);
  }

  /** 500 records. */
  @Benchmark
  public JournalEntry decodeJournalEntry() {
    return JournalCodec.decode(encodedBatch);
  }

  private static SourceRecord record(byte[] value) {
    return new SourceRecord("records", null, value, NOW, new RecordHeaders());
  }
}
