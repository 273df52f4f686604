// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

/**
 * How many rows a drill has compared, and why not all. A running instance writes rows to disk now
 * and then only: what it wrote since has no copy to be compared with, and neither has a store that
 * no instance keeps on this machine.
 *
 * @param rows that were restored or are in a local copy, each once for each copy
 * @param compared with a local copy
 * @param changed rows that were written after the local copy, or while the changelog was read
 * @param twice rows of stores without a local copy, compared with a second restoration
 */
public record DrillCoverage(long rows, long compared, long changed, long twice) {
  static final DrillCoverage NONE = new DrillCoverage(0, 0, 0, 0);

  static DrillCoverage of(StoreReport store) {
    return store.compared().stream().map(DrillCoverage::of).reduce(NONE, DrillCoverage::plus);
  }

  private static DrillCoverage of(StoreReport.Compared copy) {
    StateComparison rows = copy.rows();
    long all = rows.compared() + rows.changed();
    return copy.local().isPresent()
        ? new DrillCoverage(all, rows.compared(), rows.changed(), 0)
        : new DrillCoverage(all, 0, rows.changed(), rows.compared());
  }

  DrillCoverage plus(DrillCoverage other) {
    return new DrillCoverage(
        rows + other.rows, compared + other.compared, changed + other.changed, twice + other.twice);
  }
}
