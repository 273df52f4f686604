package io.sfumato.topology;

import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Identity, cursor and boundaries of one keeper partition. */
final class MetaStore {
  private static final Bytes IDENTITY = Bytes.wrap(new byte[] {'i'});
  private static final Bytes CURSOR = Bytes.wrap(new byte[] {'c'});
  private static final byte BOUNDARY = 'b';
  private static final int FORMAT = 1;

  private final KeyValueStore<Bytes, byte[]> store;

  MetaStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  Optional<Identity> identity() {
    return Optional.ofNullable(store.get(IDENTITY)).map(Identity::decode);
  }

  void put(Identity identity) {
    store.put(IDENTITY, identity.encode());
  }

  /** The last place whose release is decided: everything up to it is done. */
  Optional<DatasetStore.Key> cursor() {
    return Optional.ofNullable(store.get(CURSOR))
        .map(
            bytes -> {
              ByteReader in = new ByteReader(bytes).format(FORMAT, "the cursor");
              return DatasetStore.Key.read(in);
            });
  }

  void put(DatasetStore.Key cursor) {
    store.put(CURSOR, new ByteWriter().fixed8(FORMAT).raw(cursor.encode().get()).toBytes());
  }

  void putBoundary(int source, long end, long timestamp) {
    store.put(
        boundaryKey(source, end), new ByteWriter().fixed8(FORMAT).signed(timestamp).toBytes());
  }

  void deleteBoundary(int source, long end) {
    store.delete(boundaryKey(source, end));
  }

  /** Every boundary that is still remembered. */
  void boundaries(BoundaryConsumer consumer) {
    Bytes from = Bytes.wrap(new byte[] {BOUNDARY});
    Bytes to = Bytes.wrap(new byte[] {BOUNDARY + 1});
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, to)) {
      while (range.hasNext()) {
        var next = range.next();
        ByteReader key = new ByteReader(next.key.get());
        if (key.fixed8() == BOUNDARY) {
          int source = (int) key.sortable();
          long end = key.sortable();
          ByteReader value = new ByteReader(next.value).format(FORMAT, "a boundary");
          consumer.accept(source, end, value.signed());
        }
      }
    }
  }

  interface BoundaryConsumer {
    void accept(int source, long end, long timestamp);
  }

  private static Bytes boundaryKey(int source, long end) {
    return Bytes.wrap(new ByteWriter().fixed8(BOUNDARY).sortable(source).sortable(end).toBytes());
  }
}
