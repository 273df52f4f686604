// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.RocksLibrary;
import io.sfumato.topology.LedgerImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Ledgers on disk on their way into a file: they come in the order of changelogs, the last value of
 * each stands, and they leave in the order of period, share and subject. Memory does not grow with
 * their number.
 */
final class SortedLedgers implements LedgerStream, AutoCloseable {
  private static final int WRITE_BUFFER_BYTES = 16 << 20;
  private static final int CACHE_BYTES = 8 << 20;

  /** Written at once. */
  private static final int BATCH = 1_000;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final RocksDB store;
  private final WriteOptions unlogged;
  private final WriteBatch batch;

  /**
   * @param folder which is made
   */
  SortedLedgers(Path folder) throws RefusedException {
    RocksLibrary.require();
    LRUCache cache = open(new LRUCache(CACHE_BYTES));
    Options options =
        open(new Options())
            .setCreateIfMissing(true)
            .setErrorIfExists(true)
            .setWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxWriteBufferNumber(2)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
    try {
      this.store = open(RocksDB.open(options, folder.toString()));
    } catch (RocksDBException e) {
      throw failed(e);
    }
    // Whoever is cut short begins anew.
    this.unlogged = open(new WriteOptions()).setDisableWAL(true);
    this.batch = open(new WriteBatch());
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.add(resource);
    return resource;
  }

  /**
   * Takes a record of a changelog.
   *
   * @param value null if the ledger is gone
   */
  void put(byte[] key, byte[] value) throws RefusedException {
    try {
      if (value == null) {
        batch.delete(key);
      } else {
        batch.put(key, value);
      }
      if (batch.count() >= BATCH) {
        write();
      }
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  private void write() throws RocksDBException {
    store.write(unlogged, batch);
    batch.clear();
  }

  @Override
  public void forEach(Reader reader) throws RefusedException {
    forEachRow((key, value) -> reader.accept(LedgerImage.Line.of(key, value)));
  }

  /** Takes one ledger as it stands in a changelog. */
  interface RowReader {
    void accept(byte[] key, byte[] value) throws RefusedException;
  }

  /** All ledgers that are there, in their order. */
  void forEachRow(RowReader reader) throws RefusedException {
    try {
      write();
      try (RocksIterator rows = store.newIterator()) {
        for (rows.seekToFirst(); rows.isValid(); rows.next()) {
          reader.accept(rows.key(), rows.value());
        }
        rows.status();
      }
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  private static RefusedException failed(RocksDBException e) {
    return new RefusedException(
        ExitCode.FAILED,
        "cannot sort the ledgers beside the file (%s): check that the disk has space"
            .formatted(e.getStatus() == null ? "RocksDB" : e.getStatus().getCode()));
  }

  @Override
  public void close() {
    for (int i = opened.size() - 1; i >= 0; i--) {
      try {
        opened.get(i).close();
      } catch (Exception e) {
        throw new IllegalStateException("closing what RocksDB holds failed", e);
      }
    }
    opened.clear();
  }
}
