// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.RefusedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One store, restored as Kafka Streams restores a key-value store: the entries of its changelog in
 * their order, a put for each value and a deletion for each tombstone. Beside the rows it keeps the
 * keys of rows that moved, which were written after one of the copies to be compared was made.
 */
final class RestoredStore implements AutoCloseable {
  private static final int WRITE_BUFFER_BYTES = 8 << 20;
  private static final byte[] MOVED = "moved".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NOTHING = {};

  /** Written at once. */
  private static final int BATCH = 1_000;

  private final Resources resources = new Resources();
  private final RocksDB store;
  private final ColumnFamilyHandle rows;
  private final ColumnFamilyHandle moved;
  private final WriteOptions unlogged;
  private final WriteBatch batch;

  /**
   * @param folder that is made
   */
  RestoredStore(Path folder) throws RefusedException {
    ColumnFamilyOptions family =
        resources
            .open(new ColumnFamilyOptions())
            .setWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxWriteBufferNumber(2)
            .setCompressionType(CompressionType.NO_COMPRESSION);
    DBOptions options =
        resources
            .open(new DBOptions())
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setErrorIfExists(true);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try {
      this.store =
          resources.open(
              RocksDB.open(
                  options,
                  folder.toString(),
                  List.of(
                      new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family),
                      new ColumnFamilyDescriptor(MOVED, family)),
                  handles));
    } catch (RocksDBException e) {
      resources.close();
      throw RocksRows.failed("make", e);
    }
    this.rows = resources.open(handles.get(0));
    this.moved = resources.open(handles.get(1));
    // A drill that is cut short begins anew.
    this.unlogged = resources.open(new WriteOptions()).setDisableWAL(true);
    this.batch = resources.open(new WriteBatch());
  }

  /**
   * Takes an entry of the changelog.
   *
   * @param value null for a tombstone
   */
  void apply(byte[] key, byte[] value) throws RefusedException {
    try {
      if (value == null) {
        batch.delete(rows, key);
      } else {
        batch.put(rows, key, value);
      }
      writeIfFull();
    } catch (RocksDBException e) {
      throw RocksRows.failed("write", e);
    }
  }

  /** A row was written after one of the copies was made. */
  void move(byte[] key) throws RefusedException {
    try {
      batch.put(moved, key, NOTHING);
      writeIfFull();
    } catch (RocksDBException e) {
      throw RocksRows.failed("write", e);
    }
  }

  boolean isMoved(byte[] key) throws RefusedException {
    write();
    try {
      return store.get(moved, key) != null;
    } catch (RocksDBException e) {
      throw RocksRows.failed("read", e);
    }
  }

  /** All rows. */
  SortedRows rows() throws RefusedException {
    write();
    return new RocksRows(store.newIterator(rows));
  }

  private void writeIfFull() throws RefusedException {
    if (batch.count() >= BATCH) {
      write();
    }
  }

  private void write() throws RefusedException {
    if (batch.count() == 0) {
      return;
    }
    try {
      store.write(unlogged, batch);
      batch.clear();
    } catch (RocksDBException e) {
      throw RocksRows.failed("write", e);
    }
  }

  @Override
  public void close() {
    resources.close();
  }
}
