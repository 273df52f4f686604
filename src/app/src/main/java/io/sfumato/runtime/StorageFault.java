// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Why local state cannot be read or written. Only {@link #DAMAGED} state is wiped and rebuilt from
 * the changelogs: with any other cause the files are intact, and the next start would fail again.
 */
enum StorageFault {
  DISK_FULL(
      List.of("No space left on device", "Disk quota exceeded"),
      "the disk of %s is full; no data lost, no double charge: free space and start again, or "
          + "give another folder with --data"),
  TOO_MANY_FILES(
      List.of("Too many open files"),
      "too many open files (limit of this process or machine), so %s cannot be used; the state "
          + "in it is intact. No data lost, no double charge: raise the limit (ulimit -n, "
          + "LimitNOFILE of a systemd unit) and start again"),
  NO_ACCESS(
      List.of("Permission denied", "Operation not permitted", "Read-only file system"),
      "this user may not write to %s; the state in it is intact. No data lost, no double charge:"
          + " give the folder to the user that runs the pipeline, or give another one with --data,"
          + " and start again"),
  IN_USE(
      List.of("Resource temporarily unavailable", "lock hold by current process"),
      "another process has %s open; the state in it is intact. No data lost, no double charge: stop"
          + " that process, or give another folder with --data, and start again"),
  DEVICE(
      List.of("Input/output error"),
      "the disk of %s reports input/output errors; no data lost, no double charge, since the ledger"
          + " is in the cluster: replace the disk, or give another folder with --data, and start"
          + " again"),
  DAMAGED(
      List.of(),
      "the local state in %s cannot be used, not even after it was rebuilt; check the disk. No "
          + "data lost, no double charge, since the ledger is in the cluster");

  /** What the operating system says; neither RocksDB nor the JDK passes its error number on. */
  private final List<String> messages;

  private final String words;

  StorageFault(List<String> messages, String words) {
    this.messages = messages;
    this.words = words;
  }

  /** The fault behind an exception, or none if storage has nothing to do with it. */
  static Optional<StorageFault> of(Throwable thrown) {
    List<Throwable> causes =
        Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(100).toList();
    return Stream.of(values())
        .filter(fault -> causes.stream().anyMatch(fault::isNamedBy))
        .findFirst()
        .or(
            () ->
                causes.stream().anyMatch(RocksDBException.class::isInstance)
                    ? Optional.of(DAMAGED)
                    : Optional.empty());
  }

  private boolean isNamedBy(Throwable cause) {
    if (!(cause instanceof IOException || cause instanceof RocksDBException)) {
      return false;
    }
    if (this == DISK_FULL
        && cause instanceof RocksDBException rocks
        && rocks.getStatus() != null
        && rocks.getStatus().getSubCode() == Status.SubCode.NoSpace) {
      return true;
    }
    if (this == NO_ACCESS && cause instanceof AccessDeniedException) {
      return true;
    }
    String message = String.valueOf(cause.getMessage());
    return messages.stream().anyMatch(message::contains);
  }

  /** What happened and what to do about it. */
  RefusedException reason(Path stateFolder) {
    return new RefusedException(ExitCode.FAILED, words.formatted(stateFolder));
  }
}
