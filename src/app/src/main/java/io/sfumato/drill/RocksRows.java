// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Rows of a column family, as they were when this began. */
final class RocksRows implements SortedRows {
  private final RocksIterator rows;

  RocksRows(RocksIterator rows) {
    this.rows = rows;
    rows.seekToFirst();
  }

  /** An iterator that fails ends early: that must not look like the last row. */
  @Override
  public boolean isValid() throws RefusedException {
    if (rows.isValid()) {
      return true;
    }
    try {
      rows.status();
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
    return false;
  }

  @Override
  public byte[] key() {
    return rows.key();
  }

  @Override
  public byte[] value() {
    return rows.value();
  }

  @Override
  public void next() {
    rows.next();
  }

  @Override
  public void close() {
    rows.close();
  }

  static RefusedException failed(String what, RocksDBException e) {
    return new RefusedException(
        ExitCode.FAILED,
        "cannot %s the copy of the state (%s): check the disk and its space, and run the drill again"
            .formatted(what, e.getStatus() == null ? "RocksDB" : e.getStatus().getCode()));
  }
}
