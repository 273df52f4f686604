// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.count.DistinctUsers;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How distinct users are counted.
 *
 * @param cells in which a user of a window counts
 * @param categories of a subject that are counted apart; 1 where all are together
 * @param windows W: in how many windows a user counts in one period
 * @param last n: over how many last windows; empty for windows alone
 * @param row m: windows in a row in which neighbours differ, where users have no ledger; else
 *     empty. A ledger may be carried over after any number of windows, so there each pays in full
 */
public record UserCounts(
    DistinctUsers cells, int categories, long windows, OptionalInt last, OptionalLong row) {
  /** Most counts that a user moves in a period. */
  public long moved() {
    return moved(windows);
  }

  /**
   * Most counts that a user moves who counts in fewer windows.
   *
   * @param counted of the period's windows
   */
  public long moved(long counted) {
    if (last.isEmpty()) {
      return counted * cells.ofWindow();
    }
    return row.isPresent()
        ? cells.ofLast(last.getAsInt(), counted, row.getAsLong())
        : cells.ofLast(last.getAsInt(), counted);
  }

  /** Charges of a whole period that pay for a user who counts in fewer windows, rounded up. */
  public long charges(long counted) {
    return -Math.floorDiv(-Math.multiplyExact(moved(counted), windows), moved());
  }

  /** A window's part, with Gaussian noise. */
  Sensitivity gaussian() {
    return last.isPresent() ? DistinctUsers.gaussianPart(moved(), windows) : cells.sensitivity();
  }

  /** A window's part, with Laplace noise. */
  Sensitivity laplace() {
    return last.isPresent() ? DistinctUsers.laplacePart(moved(), windows) : cells.sensitivity();
  }
}
