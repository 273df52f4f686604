// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.SparseSums;

/**
 * What a release keeps of a window's records, one by one: each adds whole numbers at a few places
 * of a {@link SparseSums}. The order of records changes nothing. Releases of one rule share what is
 * kept.
 */
public interface RecordAggregation {
  /**
   * Names the rule, with all that bears on what is kept: states that live were made with this very
   * text, and are gone on with by the same alone.
   */
  String canonical();

  /** Number of places, at least 1. */
  int places();

  /** Most places that one record adds to, at least 1. */
  int ofRecord();

  /** The setting of the file that makes places fewer, and how many there are by it. */
  Setting setting();

  /**
   * Adds a record.
   *
   * @param category its place in the category dictionary; 0 where records have none
   * @param numbers of the record, in the order of the file's {@code input.values}; NaN for one that
   *     it lacks: what is about this number gets nothing of the record
   */
  void add(long category, double[] numbers, Sums to);

  /** A window's sums. */
  interface Sums {
    /**
     * Adds to one place.
     *
     * @param place from 0
     * @param amount at least 0
     */
    void add(int place, long amount);
  }

  /** What a file would lower. */
  record Setting(String name, long count) {}
}
