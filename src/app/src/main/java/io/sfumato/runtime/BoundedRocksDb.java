// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * One block cache and one write buffer for all stores of this process: 128 MiB together.
 *
 * <p>Filters and indices share the cache. Whole ones grow with their file: of millions of keys they
 * outgrow a shard of the cache, are never kept, and every look at one key reads megabytes. Cut into
 * blocks they are read a few KB at a time, whatever is stored.
 */
public final class BoundedRocksDb implements RocksDBConfigSetter {
  private static final long CACHE_BYTES = 96L << 20;
  private static final long WRITE_BUFFER_BYTES = 32L << 20;

  /** Few threads look into the stores of a process: 4 shards, of 24 MiB each. */
  private static final int SHARD_BITS = 2;

  /** Part of the cache that blocks of filters and indices keep from records. */
  private static final double OF_FILTERS = 0.5;

  private static final int FILTER_BLOCK_BYTES = 4096;

  /**
   * RocksDB would reserve 4 MiB of disk for each open store's list of files, of a few hundred B.
   */
  private static final long MANIFEST_BYTES = 64L << 10;

  private static final Cache CACHE;
  private static final WriteBufferManager WRITE_BUFFERS;

  static {
    RocksDB.loadLibrary();
    CACHE = new LRUCache(CACHE_BYTES, SHARD_BITS, false, OF_FILTERS);
    WRITE_BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);
  }

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(CACHE);
    table.setCacheIndexAndFilterBlocks(true);
    table.setCacheIndexAndFilterBlocksWithHighPriority(true);
    table.setIndexType(IndexType.kTwoLevelIndexSearch);
    table.setPartitionFilters(true);
    table.setMetadataBlockSize(FILTER_BLOCK_BYTES);
    options.setWriteBufferManager(WRITE_BUFFERS);
    options.setMaxWriteBufferNumber(2);
    options.setManifestPreallocationSize(MANIFEST_BYTES);
    options.setTableFormatConfig(table);
  }

  @Override
  public void close(String storeName, Options options) {
    // The cache and the buffers are shared by all stores and live as long as the process.
  }
}
