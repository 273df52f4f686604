// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Draw;
import io.sfumato.gate.ReleaseId;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;

/**
 * A node of a running count's tree, exact.
 *
 * @param since start of the tree's first window
 * @param windows of the tree that are counted so far, this one included, at least 1
 */
public record NodeDraw(
    ReleaseId id,
    CountMeasurement<CountQuery> mechanism,
    ExactVector exact,
    long since,
    long windows)
    implements Draw<ExactVector> {
  /** Level of the node: it holds 2^level windows. */
  public int level() {
    return Long.numberOfTrailingZeros(windows);
  }

  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
