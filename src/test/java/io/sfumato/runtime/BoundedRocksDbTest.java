// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

class BoundedRocksDbTest {
  private static final int KEYS = 300_000;

  /** A look at any key of a large store: some blocks, not a filter of all keys (375 kB here). */
  private static final long MOST_BYTES = 64 << 10;

  static {
    RocksDB.loadLibrary();
  }

  @TempDir Path folder;

  private final BoundedRocksDb bounds = new BoundedRocksDb();

  /** As Kafka Streams sets a store up, before it asks for other settings. */
  private Options options() {
    Options options = new Options().setCreateIfMissing(true);
    options.setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter()));
    bounds.setConfig("store", options, Map.of());
    return options;
  }

  private static byte[] key(int i) {
    return "user-%08x".formatted(i * 0x9E3779B1).getBytes(UTF_8);
  }

  @Test
  void shouldReadAFewBlocksForAKeyOfALargeStore() throws Exception {
    try (Options options = options();
        RocksDB store = RocksDB.open(options, folder.toString());
        WriteBatch batch = new WriteBatch();
        WriteOptions writes = new WriteOptions();
        FlushOptions flush = new FlushOptions()) {
      for (int i = 0; i < KEYS; i++) {
        batch.put(key(i), new byte[1]);
      }
      store.write(writes, batch);
      store.flush(flush);
    }
    try (Options options = options();
        Statistics statistics = new Statistics()) {
      options.setStatistics(statistics);
      try (RocksDB store = RocksDB.open(options, folder.toString())) {
        long before = statistics.getTickerCount(TickerType.BLOCK_CACHE_BYTES_WRITE);
        assertThat(store.get(key(KEYS / 2))).hasSize(1);
        assertThat(statistics.getTickerCount(TickerType.BLOCK_CACHE_BYTES_WRITE) - before)
            .isBetween(1L, MOST_BYTES);
        assertThat(store.get(key(-1))).isNull();
      }
    }
  }
}
