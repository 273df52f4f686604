// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The least that counts events by user: read two fields, repartition by user, get, add one to one
 * of 32 counts, put. No validation, no time, no privacy.
 */
final class BareTopology {
  private static final String STORE = "counts";
  private static final JsonFactory JSON = new JsonFactory();

  private BareTopology() {}

  /** Where counts are kept. */
  enum Storage {
    ROCKSDB,
    /** With Kafka Streams' record cache in front. */
    ROCKSDB_CACHED,
    MEMORY
  }

  /** Whether events go to their user's partition first. */
  enum Route {
    REPARTITION,
    DIRECT
  }

  static Topology of(String topic, Storage storage, Route route, LongAdder counted) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(store(storage));
    KStream<byte[], byte[]> events =
        builder.stream(topic, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
            .map((key, value) -> parse(value));
    if (route == Route.REPARTITION) {
      events =
          events.repartition(
              Repartitioned.<byte[], byte[]>as("by-user")
                  .withKeySerde(Serdes.ByteArray())
                  .withValueSerde(Serdes.ByteArray()));
    }
    events.process(() -> new Counter(counted), STORE);
    return builder.build();
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(Storage storage) {
    KeyValueBytesStoreSupplier supplier =
        storage == Storage.MEMORY
            ? Stores.inMemoryKeyValueStore(STORE)
            : Stores.persistentKeyValueStore(STORE);
    Serde<byte[]> bytes = Serdes.ByteArray();
    StoreBuilder<KeyValueStore<Bytes, byte[]>> builder =
        Stores.keyValueStoreBuilder(supplier, Serdes.Bytes(), bytes);
    return storage == Storage.ROCKSDB_CACHED ? builder.withCachingEnabled() : builder;
  }

  /** User, and place of the category. */
  private static KeyValue<byte[], byte[]> parse(byte[] value) {
    String subject = null;
    String category = null;
    try (JsonParser parser = JSON.createParser(value)) {
      parser.nextToken();
      while ((subject == null || category == null) && parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        switch (field) {
          case "subject" -> subject = parser.getText();
          case "category" -> category = parser.getText();
          default -> parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte place = Byte.parseByte(category.substring(1));
    return KeyValue.pair(subject.getBytes(StandardCharsets.UTF_8), new byte[] {place});
  }

  private static final class Counter implements Processor<byte[], byte[], Void, Void> {
    private final LongAdder counted;
    private KeyValueStore<Bytes, byte[]> store;

    Counter(LongAdder counted) {
      this.counted = counted;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      store = context.getStateStore(STORE);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      Bytes user = Bytes.wrap(record.key());
      byte[] before = store.get(user);
      byte[] counts =
          before == null ? new byte[Workload.CATEGORIES * Integer.BYTES] : before.clone();
      int place = record.value()[0] * Integer.BYTES;
      ByteBuffer buffer = ByteBuffer.wrap(counts);
      buffer.putInt(place, buffer.getInt(place) + 1);
      store.put(user, counts);
      counted.increment();
    }
  }
}
