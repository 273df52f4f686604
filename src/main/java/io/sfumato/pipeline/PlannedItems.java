// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.noise.Framing;

/**
 * Synthetic items.
 *
 * @param spec of the file
 * @param share that counts items
 * @param sampler of each item
 */
public record PlannedItems(MollifierSpec spec, Share share, ItemSampler sampler)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    digest.number(spec.items());
  }

  @Override
  public Charge charge() {
    return sampler.charge();
  }
}
