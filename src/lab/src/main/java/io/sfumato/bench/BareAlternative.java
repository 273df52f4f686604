// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.util.concurrent.atomic.LongAdder;

/** A bare counting topology, under the settings of the pipeline. */
record BareAlternative(
    String name, BareTopology.By by, BareTopology.Storage storage, BareTopology.Route route)
    implements Alternative {
  /** The limit to measure against. */
  static BareAlternative rocksDb() {
    return new BareAlternative(
        "bare, RocksDB",
        BareTopology.By.USER,
        BareTopology.Storage.ROCKSDB,
        BareTopology.Route.REPARTITION);
  }

  /** Names instead of users. */
  static BareAlternative ofCategories() {
    return new BareAlternative(
        "bare by name, RocksDB",
        BareTopology.By.CATEGORY,
        BareTopology.Storage.ROCKSDB,
        BareTopology.Route.REPARTITION);
  }

  static BareAlternative cached() {
    return new BareAlternative(
        "bare, RocksDB with record cache",
        BareTopology.By.USER,
        BareTopology.Storage.ROCKSDB_CACHED,
        BareTopology.Route.REPARTITION);
  }

  static BareAlternative memory() {
    return new BareAlternative(
        "bare, in memory",
        BareTopology.By.USER,
        BareTopology.Storage.MEMORY,
        BareTopology.Route.REPARTITION);
  }

  /** Right only where producers key events by user, all with the same partitioner. */
  static BareAlternative direct() {
    return new BareAlternative(
        "bare, RocksDB, no repartition",
        BareTopology.By.USER,
        BareTopology.Storage.ROCKSDB,
        BareTopology.Route.DIRECT);
  }

  @Override
  public Prepared prepare(Arena arena, String topic, String id) {
    LongAdder counted = new LongAdder();
    return new Prepared(
        BareTopology.of(topic, by, storage, route, counted),
        arena.bareStreams(id),
        counted::sum,
        () -> 0);
  }
}
