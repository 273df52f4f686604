package io.sfumato.topology;

import io.sfumato.mechanism.Histogram;
import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;
import io.sfumato.serde.CorruptBytesException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The open and the closed, not yet released datasets. Key: window start (sortable), subject. Value:
 * format, then for each category with records the gap to the last one and the count.
 */
final class DatasetStore {
  private static final int FORMAT = 1;

  private final KeyValueStore<Bytes, byte[]> store;
  private final int categories;

  DatasetStore(KeyValueStore<Bytes, byte[]> store, int categories) {
    this.store = store;
    this.categories = categories;
  }

  /** A place in the order in which datasets are released: by window, then by subject. */
  record Key(long windowStart, String subject) {
    Bytes encode() {
      return Bytes.wrap(
          new ByteWriter()
              .sortable(windowStart)
              .raw(subject.getBytes(StandardCharsets.UTF_8))
              .toBytes());
    }

    /** Inverse of {@link #encode}: reads to the end. */
    static Key read(ByteReader in) {
      return new Key(in.sortable(), in.restAsText());
    }
  }

  /** One closed dataset. */
  record Dataset(Key key, Histogram histogram) {}

  void add(Key key, int category) {
    Histogram histogram = get(key).orElseGet(() -> Histogram.empty(categories));
    store.put(key.encode(), encode(histogram.plus(category)));
  }

  Optional<Histogram> get(Key key) {
    return Optional.ofNullable(store.get(key.encode())).map(this::decode);
  }

  void delete(Key key) {
    store.delete(key.encode());
  }

  /** The first datasets after a key, of windows that start before {@code limit}, in order. */
  List<Dataset> after(Optional<Key> key, long limit, int most) {
    // Every subject has bytes, so a key without one lies before its window's datasets.
    Bytes from = key.orElse(new Key(Long.MIN_VALUE, "")).encode();
    Bytes to = new Key(limit, "").encode();
    List<Dataset> found = new ArrayList<>();
    if (from.compareTo(to) > 0) {
      return found;
    }
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, to)) {
      while (range.hasNext() && found.size() < most) {
        var next = range.next();
        Key at = Key.read(new ByteReader(next.key.get()));
        if (key.isEmpty() || !at.equals(key.get())) {
          found.add(new Dataset(at, decode(next.value)));
        }
      }
    }
    return found;
  }

  static byte[] encode(Histogram histogram) {
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    int last = -1;
    for (int i = 0; i < histogram.categories(); i++) {
      if (histogram.count(i) > 0) {
        out.unsigned(i - last - 1).unsigned(histogram.count(i));
        last = i;
      }
    }
    return out.toBytes();
  }

  private Histogram decode(byte[] bytes) {
    return decode(bytes, categories);
  }

  static Histogram decode(byte[] bytes, int categories) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a dataset");
    long[] counts = new long[categories];
    int place = -1;
    while (!in.atEnd()) {
      long next = place + 1L + in.unsigned();
      if (next >= categories) {
        throw new CorruptBytesException("a dataset has an unknown category");
      }
      place = (int) next;
      counts[place] = in.unsigned();
    }
    return new Histogram(counts);
  }
}
