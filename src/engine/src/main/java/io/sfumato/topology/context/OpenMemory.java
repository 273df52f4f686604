// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

/**
 * Heap that one instance keeps datasets of open windows in, so that their records cost no read. The
 * partitions that the instance has at the moment share it evenly; one more makes the others forget
 * what lies beyond their new share when they next take in a record. No output depends on it: the
 * store holds all datasets.
 */
public final class OpenMemory {
  /**
   * What the heap is divided by: a quarter leaves room for the batches of Kafka's clients, writes
   * that wait for the commit, and the collector.
   */
  private static final int PARTS = 4;

  private final long bytes;
  private int partitions;
  private volatile long share;

  /**
   * So many bytes.
   *
   * @param bytes at least 0; a partition keeps some datasets even with none
   */
  public OpenMemory(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("memory is at least 0 bytes, was " + bytes);
    }
    this.bytes = bytes;
    this.share = bytes;
  }

  /** A quarter of the largest heap that this process may have. */
  public static OpenMemory ofHeap() {
    return new OpenMemory(Runtime.getRuntime().maxMemory() / PARTS);
  }

  /** Bytes of all partitions together. */
  public long bytes() {
    return bytes;
  }

  /** For one partition, which counts from {@link Share#join} to {@link Share#leave}. */
  public Share share() {
    return new Share();
  }

  private synchronized void change(int by) {
    partitions += by;
    share = bytes / Math.max(1, partitions);
  }

  /** What one partition may take; used by one thread, while others join and leave. */
  public final class Share {
    private boolean joined;

    /** The partition begins: it counts from now on, once. */
    public void join() {
      if (!joined) {
        joined = true;
        change(1);
      }
    }

    /** The partition ends: what it had is the others'. */
    public void leave() {
      if (joined) {
        joined = false;
        change(-1);
      }
    }

    /** Bytes at this moment: what all have, divided by those who have joined. */
    public long bytes() {
      return share;
    }
  }
}
