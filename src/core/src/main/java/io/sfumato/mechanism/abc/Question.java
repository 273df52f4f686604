// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.abc.SparseVector.State;
import java.util.Optional;

/**
 * A candidate of a query with all that its answer depends on. Secret.
 *
 * @param query that asks
 * @param candidate digest of the candidate; public
 * @param distance rho, exact, not clipped
 * @param state of the query before this candidate; only sparse vectors keep one
 */
public record Question(QueryInput query, byte[] candidate, double distance, Optional<State> state)
    implements ExactData {
  /** Never prints the distance. */
  @Override
  public String toString() {
    return "Question[masked]";
  }
}
