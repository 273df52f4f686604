// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Sensitivity;
import java.util.Arrays;

/** How many records shares are made of. */
final class NoisySize {
  private NoisySize() {}

  /** N where it is public, else what the noisy counts add up to: at least 0. */
  static long of(Histogram histogram, double[] noisy, Sensitivity sensitivity) {
    return sensitivity.sizeIsPublic()
        ? histogram.size()
        : Math.max(0, Math.round(Arrays.stream(noisy).sum()));
  }
}
