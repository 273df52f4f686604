// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.store;

import io.sfumato.topology.context.StoreContents;
import java.util.SortedMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;

/**
 * A store in memory that begins with rows. Processors find them in their {@code init}, as they find
 * what was restored from a changelog. The rows are not logged once more.
 */
public final class FilledStore extends InMemoryKeyValueStore {
  private final SortedMap<Bytes, byte[]> rows;

  private FilledStore(String name, SortedMap<Bytes, byte[]> rows) {
    super(name);
    this.rows = rows;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    super.init(context, root);
    rows.forEach(this::put);
  }

  /** Makes such stores. */
  public record Supplier(String name, StoreContents contents)
      implements KeyValueBytesStoreSupplier {
    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new FilledStore(name, contents.of(name));
    }

    @Override
    public String metricsScope() {
      return "in-memory";
    }
  }
}
