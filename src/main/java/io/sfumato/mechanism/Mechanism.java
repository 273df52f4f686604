// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import io.sfumato.accounting.Charge;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;

/**
 * One way to publish something about a dataset: calibration, draw and charge together.
 *
 * @param <D> the dataset it reads
 * @param <R> what it releases
 */
public interface Mechanism<D, R> {
  /** The cost of one release, fixed before any data is touched. */
  Charge charge();

  /** Writes the exact input and parameters of a release: the noise depends on them. */
  void frame(D dataset, Framing framing);

  /** Draws. Total: every representable dataset has a release. */
  R release(D dataset, ReplayableRandom random);
}
