// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.store;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Goes through a range of a store once, a few entries at a time. It remembers how far it is, in
 * memory: whoever began at the front each time would pass all that was deleted there again, which a
 * store of sorted files does one by one.
 */
public final class Scan {
  private final StagedWrites store;

  /** The first key that it has not passed. */
  private Bytes from;

  /**
   * @param front where it begins, and does again after a restart
   */
  public Scan(StagedWrites store, Bytes front) {
    this.store = store;
    this.from = front;
  }

  /** The next entries, up to a key, exclusive. It stays where it is until they are passed. */
  public List<KeyValue<Bytes, byte[]>> next(Bytes to, int most) {
    return from.compareTo(to) < 0 ? store.first(from, to, most) : List.of();
  }

  /**
   * Takes the next entries, up to a key, exclusive, and passes them.
   *
   * @return how many; fewer than {@code most} only when none is left
   */
  public int take(Bytes to, int most, Consumer<KeyValue<Bytes, byte[]>> consumer) {
    List<KeyValue<Bytes, byte[]>> entries = next(to, most);
    for (KeyValue<Bytes, byte[]> entry : entries) {
      consumer.accept(entry);
      pass(entry.key);
    }
    return entries.size();
  }

  /** Goes on after a key. */
  public void pass(Bytes key) {
    from = after(key);
  }

  /** Something was written: it is not passed over, even if it stands before what was. */
  public void written(Bytes key) {
    if (key.compareTo(from) < 0) {
      from = key;
    }
  }

  /** The first key after another. */
  public static Bytes after(Bytes key) {
    return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
  }
}
