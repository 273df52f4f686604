// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.PlanningModel;

/**
 * What is public of a table's rows, each of which is released by a draw of its own.
 *
 * @param categories of a row
 * @param size guess of the records of the row that a random record lies in
 * @param largest most records that a row may have
 */
record PublicRows(int categories, double size, double largest) {
  /** Of a table with one row, which has all records. */
  static PublicRows one(int categories, double records) {
    return new PublicRows(categories, records, records);
  }

  /** If the k-th largest of the rows is in proportion to 1/k. */
  static PublicRows several(int categories, double records, int rows) {
    double sum = 0;
    double squares = 0;
    for (int k = 1; k <= rows; k++) {
      sum += 1.0 / k;
      squares += 1.0 / ((double) k * k);
    }
    return new PublicRows(categories, records * squares / (sum * sum), records);
  }

  /** On which parameters are chosen: Zipf's law, in at least two categories. */
  PlanningModel plan() {
    return PlanningModel.zipf(Math.max(2, categories), size);
  }
}
