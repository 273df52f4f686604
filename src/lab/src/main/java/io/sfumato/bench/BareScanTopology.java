// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sfumato.topology.context.ThreadProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * The least that keeps what a window's users did and publishes it when the window is over: for each
 * user one output, one entry that remembers it, and the deletion of what was published; records and
 * sizes are those of the pipeline. In slices, since a transaction must not wait for a million
 * users.
 */
final class BareScanTopology {
  private static final String DATA = "data";
  private static final String DONE = "done";
  private static final int SLICE = 2_000;
  private static final JsonFactory JSON = new JsonFactory();

  private BareScanTopology() {}

  /**
   * What an output weighs.
   *
   * @param value bytes of the value
   * @param header bytes of its headers together
   */
  record Weight(int value, int header) {}

  /** When it releases. */
  enum Manners {
    /** A slice after every record: what comes meanwhile waits. */
    GREEDY,
    /** As the pipeline does: between its turns the thread processes what it holds, and polls. */
    IN_TURNS
  }

  static Topology of(
      String topic,
      String output,
      Weight weight,
      Manners manners,
      LongAdder counted,
      LongAdder released) {
    StreamsBuilder builder = new StreamsBuilder();
    for (String store : new String[] {DATA, DONE}) {
      builder.addStateStore(
          Stores.keyValueStoreBuilder(
              Stores.persistentKeyValueStore(store), Serdes.Bytes(), Serdes.ByteArray()));
    }
    builder.stream(topic, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .map(
            (key, value) -> {
              ThreadProgress.ofThisThread().processed();
              return parse(value);
            })
        .repartition(
            Repartitioned.<byte[], byte[]>as("by-user")
                .withKeySerde(Serdes.ByteArray())
                .withValueSerde(Serdes.ByteArray()))
        .process(() -> new Scanner(weight, manners, counted, released), DATA, DONE)
        .to(output, Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    return builder.build();
  }

  /** User; place of the category and whether the window is over. */
  private static KeyValue<byte[], byte[]> parse(byte[] value) {
    String subject = null;
    String category = null;
    long at = 0;
    try (JsonParser parser = JSON.createParser(value)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        switch (field) {
          case "subject" -> subject = parser.getText();
          case "category" -> category = parser.getText();
          case "at" -> at = parser.getLongValue();
          default -> parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte later = (byte) (at >= Workload.BEGIN + Workload.WINDOW_MILLIS ? 1 : 0);
    byte place = Byte.parseByte(category.substring(1));
    return KeyValue.pair(subject.getBytes(StandardCharsets.UTF_8), new byte[] {place, later});
  }

  private static final class Scanner implements Processor<byte[], byte[], byte[], byte[]> {
    private final Weight weight;
    private final Manners manners;
    private final LongAdder counted;
    private final LongAdder released;
    private ProcessorContext<byte[], byte[]> context;
    private KeyValueStore<Bytes, byte[]> data;
    private KeyValueStore<Bytes, byte[]> done;
    private Bytes cursor = Bytes.wrap(new byte[] {0});
    private ThreadProgress pace;
    private ThreadProgress.Turns turns;
    private boolean closing;

    Scanner(Weight weight, Manners manners, LongAdder counted, LongAdder released) {
      this.weight = weight;
      this.manners = manners;
      this.counted = counted;
      this.released = released;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
      this.context = context;
      data = context.getStateStore(DATA);
      done = context.getStateStore(DONE);
      pace = ThreadProgress.ofThisThread();
      turns = pace.turns();
      context.schedule(Duration.ofMillis(10), PunctuationType.WALL_CLOCK_TIME, now -> slice(now));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      pace.processed();
      byte place = record.value()[0];
      byte later = record.value()[1];
      closing |= later == 1;
      Bytes key =
          Bytes.wrap(
              ByteBuffer.allocate(1 + record.key().length).put(later).put(record.key()).array());
      byte[] before = data.get(key);
      byte[] after = before == null ? new byte[2] : Arrays.copyOf(before, before.length + 2);
      after[after.length - 2] = place;
      after[after.length - 1] = 1;
      data.put(key, after);
      counted.increment();
      slice(record.timestamp());
    }

    private void slice(long timestamp) {
      if (!closing || (manners == Manners.IN_TURNS && !turns.begin())) {
        return;
      }
      int found = 0;
      boolean stopped = false;
      try (KeyValueIterator<Bytes, byte[]> range = data.range(cursor, Bytes.wrap(new byte[] {1}))) {
        while (range.hasNext() && !stopped) {
          KeyValue<Bytes, byte[]> next = range.next();
          release(next.key, timestamp);
          cursor = next.key;
          found++;
          stopped = found == SLICE || (manners == Manners.IN_TURNS && !turns.mayContinue());
        }
      }
      closing = stopped;
      turns.end(closing);
    }

    private void release(Bytes key, long timestamp) {
      Headers headers = new RecordHeaders();
      headers.add("h", new byte[weight.header()]);
      byte[] user = Arrays.copyOfRange(key.get(), 1, key.get().length);
      context.forward(new Record<>(user, new byte[weight.value()], timestamp, headers));
      done.put(key, new byte[] {1, 0, 1, 1});
      data.delete(key);
      released.increment();
    }
  }
}
