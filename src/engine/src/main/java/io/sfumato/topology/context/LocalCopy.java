// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

/**
 * One partition of a store in use, and the last time at which it is known to have held everything
 * that its changelog held then: whatever was deleted before, it has deleted too.
 */
public final class LocalCopy {
  private final String store;
  private final int partition;
  private long upToDate;

  /** An end of the changelog that the copy has yet to reach, and when that was the end. */
  private long end;

  private long endAt;
  private boolean waiting;

  /**
   * @param upToDate milliseconds since 1970
   */
  public LocalCopy(String store, int partition, long upToDate) {
    this.store = store;
    this.partition = partition;
    this.upToDate = upToDate;
  }

  /** Name of the store. */
  public String store() {
    return store;
  }

  /** Of the store. */
  public int partition() {
    return partition;
  }

  /** Milliseconds since 1970. */
  public synchronized long upToDate() {
    return upToDate;
  }

  /**
   * How far it has come. Once it has reached what was the end at an earlier time, it was up to date
   * at that time. The last entry of a changelog at rest is the mark of a transaction, which no copy
   * counts.
   *
   * @param now before the ends were asked for
   * @param position of the next record to read
   * @param end of the changelog
   */
  public synchronized void reached(long now, long position, long end) {
    if (waiting && position >= this.end - 1) {
      upToDate = endAt;
      waiting = false;
    }
    if (position >= end - 1) {
      upToDate = now;
      waiting = false;
    } else if (!waiting) {
      this.end = end;
      endAt = now;
      waiting = true;
    }
  }
}
