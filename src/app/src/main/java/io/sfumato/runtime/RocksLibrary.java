// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import org.rocksdb.RocksDB;

/** The native part of RocksDB, which is unpacked when it is first used. */
public final class RocksLibrary {
  private RocksLibrary() {}

  /**
   * Refuses a machine on which it cannot be used.
   *
   * @throws RefusedException with what it lacks
   */
  public static void require() throws RefusedException {
    try {
      RocksDB.loadLibrary();
    } catch (UnsatisfiedLinkError | RuntimeException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "cannot load the RocksDB library from %s: the folder must be writable and allow executables; name another one with -Djava.io.tmpdir"
              .formatted(System.getProperty("java.io.tmpdir")));
    }
  }
}
