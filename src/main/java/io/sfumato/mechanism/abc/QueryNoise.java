// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.noise.Framing;

/** How the candidates of one query are answered, once its N and T are known. */
public sealed interface QueryNoise permits RejectionCoin, SoftWeights, SparseVector {
  /** Scale of the noise in the unit of distances; public. */
  double scale();

  /**
   * Appends the noise's exact parameters to what the randomness of an answer depends on: other
   * noise is never made of the same random numbers.
   */
  void frame(Framing framing);
}
