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

  /** Of what is read at once: a filter of all keys here has 375 kB, an index of them 26. */
  private static final long MOST_BYTES = 8 << 10;

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
  void shouldKeepFiltersAndIndicesOfALargeStoreInSmallBlocks() throws Exception {
    try (Options options = options();
        Statistics statistics = new Statistics();
        WriteBatch batch = new WriteBatch();
        WriteOptions writes = new WriteOptions();
        FlushOptions flush = new FlushOptions()) {
      options.setStatistics(statistics);
      try (RocksDB store = RocksDB.open(options, folder.toString())) {
        for (int i = 0; i < KEYS; i++) {
          batch.put(key(i), new byte[1]);
        }
        store.write(writes, batch);
        store.flush(flush);
        assertThat(store.get(key(KEYS / 2))).hasSize(1);
        assertThat(store.get(key(-1))).isNull();
      }
      assertInBlocks(
          statistics,
          TickerType.BLOCK_CACHE_FILTER_ADD,
          TickerType.BLOCK_CACHE_FILTER_BYTES_INSERT);
      assertInBlocks(
          statistics, TickerType.BLOCK_CACHE_INDEX_ADD, TickerType.BLOCK_CACHE_INDEX_BYTES_INSERT);
    }
  }

  private static void assertInBlocks(Statistics statistics, TickerType parts, TickerType bytes) {
    long number = statistics.getTickerCount(parts);
    assertThat(number).as(parts.name()).isPositive();
    assertThat(statistics.getTickerCount(bytes) / number)
        .as("bytes of one, " + bytes)
        .isLessThanOrEqualTo(MOST_BYTES);
  }

  /** A pipeline has a store or more for each partition and room of its state. */
  @Test
  void shouldReserveLittleOfTheDiskForAStoreThatIsOpen() throws Exception {
    try (Options options = options();
        WriteOptions asKafkaStreams = new WriteOptions().setDisableWAL(true);
        RocksDB store = RocksDB.open(options, folder.toString())) {
      store.put(asKafkaStreams, key(1), new byte[1]);
      Process blocks =
          new ProcessBuilder("du", "--block-size=1K", "--summarize", folder.toString()).start();
      String found = new String(blocks.getInputStream().readAllBytes(), UTF_8);
      assertThat(Integer.parseInt(found.split("\\s")[0])).as("KiB of disk").isBetween(1, 1024);
    }
  }
}
