// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

/**
 * Where a record lies in the records' topic.
 *
 * @param partition from 0
 * @param offset from 0
 */
public record RecordPlace(int partition, long offset) {
  public RecordPlace {
    if (partition < 0 || offset < 0) {
      throw new IllegalArgumentException("partitions and offsets count from 0");
    }
  }
}
