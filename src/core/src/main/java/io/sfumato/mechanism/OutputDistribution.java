// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;

/**
 * The probability law of what a mechanism publishes of one dataset: found once, drawn from as often
 * as was charged. Secret, as the dataset is.
 *
 * @param <R> what is drawn
 */
public interface OutputDistribution<R extends ReleasedData> {
  /**
   * Writes the exact input and all parameters: the randomness of a draw depends on them, so that
   * the same random numbers never meet another input.
   */
  void encodeInput(CanonicalEncoder encoder);

  /** Draws: a function of the law and the randomness alone, which never fails. */
  R draw(KeyedRandom random);

  /** How often a learner failed while the law was fitted. */
  default int failures() {
    return 0;
  }
}
