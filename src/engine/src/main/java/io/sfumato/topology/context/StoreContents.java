// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * What stores hold when a program begins, where no disk outlives it: the audit hands the state of
 * one version over to the next one.
 *
 * @param byStore rows by the name of their store; stores that are not named are empty
 */
public record StoreContents(Map<String, SortedMap<Bytes, byte[]>> byStore) {
  /** All stores are empty. */
  public static final StoreContents NONE = new StoreContents(Map.of());

  public StoreContents {
    byStore = Map.copyOf(byStore);
  }

  /** Rows of one store, in their order. */
  public SortedMap<Bytes, byte[]> of(String store) {
    return byStore.getOrDefault(store, new TreeMap<>());
  }
}
