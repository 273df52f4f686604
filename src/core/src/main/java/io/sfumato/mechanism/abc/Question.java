// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.abc.SparseVector.State;
import java.util.Optional;

/**
 * A candidate of a query with all that its answer depends on. Secret.
 *
 * @param sensitivity D: how far replacing one record moves the distance, above 0; public
 * @param candidates T, of the query, at least 1; public
 * @param distance rho, exact, not clipped
 * @param state of the query before this candidate; only sparse vectors keep one
 */
public record Question(
    double sensitivity, long candidates, double distance, Optional<State> state) {
  /** Never prints the distance. */
  @Override
  public String toString() {
    return "Question[masked]";
  }
}
