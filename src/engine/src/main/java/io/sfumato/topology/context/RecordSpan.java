// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

/**
 * Where records lie in a partition of the records' topic.
 *
 * @param partition from 0
 * @param first offset, from 0
 * @param last offset, no less than the first
 */
public record RecordSpan(int partition, long first, long last) {
  public RecordSpan {
    if (partition < 0 || first < 0 || last < first || last == Long.MAX_VALUE) {
      throw new IllegalArgumentException("partitions and offsets count from 0, first to last");
    }
  }

  /** A single place. */
  public static RecordSpan at(int partition, long offset) {
    return new RecordSpan(partition, offset, offset);
  }

  /** Number of offsets, at least 1. */
  public long length() {
    return last - first + 1;
  }

  /** As an operator writes it. */
  public String text(String topic) {
    String place = "%s-%d@%d".formatted(topic, partition, first);
    return first == last ? place : place + ".." + last;
  }
}
