// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** State stores that live in memory and write no changelog. They outlive a processor. */
public final class MemoryStores {
  private MemoryStores() {}

  /** An empty store, ready to be read and written. */
  public static KeyValueStore<Bytes, byte[]> named(String name) {
    StateStoreContext context = new MockProcessorContext<>().getStateStoreContext();
    KeyValueStore<Bytes, byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(context, store);
    return store;
  }

  /** Empty stores, by their names. */
  static Map<String, KeyValueStore<Bytes, byte[]>> named(List<String> names) {
    Map<String, KeyValueStore<Bytes, byte[]>> stores = new TreeMap<>();
    names.forEach(name -> stores.put(name, named(name)));
    return stores;
  }
}
