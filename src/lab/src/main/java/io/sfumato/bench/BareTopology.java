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
 * The least that counts events by user, or by category: read two fields, repartition, get, add one
 * to one of 32 counts of the user, or to the category's, put. No validation, no time, no privacy.
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

  /** Whose events are counted. */
  enum By {
    /** In 32 counts each; of more categories several share one. */
    USER(Workload.CATEGORIES),
    CATEGORY(1);

    private final int counts;

    By(int counts) {
      this.counts = counts;
    }
  }

  static Topology of(String topic, By by, Storage storage, Route route, LongAdder counted) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(store(storage));
    KStream<byte[], byte[]> events =
        builder.stream(topic, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
            // Ticks have none.
            .filter((key, value) -> value != null)
            .map((key, value) -> parse(value, by));
    if (route == Route.REPARTITION) {
      events =
          events.repartition(
              Repartitioned.<byte[], byte[]>as(by == By.USER ? "by-user" : "by-category")
                  .withKeySerde(Serdes.ByteArray())
                  .withValueSerde(Serdes.ByteArray()));
    }
    events.process(() -> new Counter(by.counts, counted), STORE);
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

  /** User or category, and the place of its count. */
  private static KeyValue<byte[], byte[]> parse(byte[] value, By by) {
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
    String key = by == By.USER ? subject : category;
    byte place = (byte) (Integer.parseInt(category.substring(1)) % by.counts);
    return KeyValue.pair(key.getBytes(StandardCharsets.UTF_8), new byte[] {place});
  }

  private static final class Counter implements Processor<byte[], byte[], Void, Void> {
    private final int places;
    private final LongAdder counted;
    private KeyValueStore<Bytes, byte[]> store;

    Counter(int places, LongAdder counted) {
      this.places = places;
      this.counted = counted;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      store = context.getStateStore(STORE);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      Bytes key = Bytes.wrap(record.key());
      byte[] before = store.get(key);
      byte[] counts = before == null ? new byte[places * Integer.BYTES] : before.clone();
      int place = record.value()[0] * Integer.BYTES;
      ByteBuffer buffer = ByteBuffer.wrap(counts);
      buffer.putInt(place, buffer.getInt(place) + 1);
      store.put(key, counts);
      counted.increment();
    }
  }
}
