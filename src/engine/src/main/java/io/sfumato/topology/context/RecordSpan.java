// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import org.apache.kafka.common.TopicPartition;

/**
 * Where records lie in a source: a partition of one of the records' topics.
 *
 * @param source its number by {@link SourceTopics}, from 0
 * @param first offset, from 0
 * @param last offset, no less than the first
 */
public record RecordSpan(int source, long first, long last) {
  public RecordSpan {
    if (source < 0 || first < 0 || last < first || last == Long.MAX_VALUE) {
      throw new IllegalArgumentException("sources and offsets count from 0, first to last");
    }
  }

  /** A single place. */
  public static RecordSpan at(int source, long offset) {
    return new RecordSpan(source, offset, offset);
  }

  /** Number of offsets, at least 1. */
  public long length() {
    return last - first + 1;
  }

  /**
   * As an operator writes it.
   *
   * @param place the source's topic and partition
   */
  public String text(TopicPartition place) {
    String from = "%s@%d".formatted(place, first);
    return first == last ? from : from + ".." + last;
  }
}
