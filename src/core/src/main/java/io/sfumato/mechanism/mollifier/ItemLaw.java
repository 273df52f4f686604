// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.function.Function;

/**
 * The private law of a dataset's items.
 *
 * @param charge of one item: its text holds all parameters
 * @param dataset exact
 * @param sampler of one item
 * @param failures how often a learner failed while the law was fitted
 */
record ItemLaw(
    Charge charge, ItemData dataset, Function<ReplayableRandom, Point> sampler, int failures)
    implements Law<DrawnItem> {
  /** Of a law that is not learned. */
  ItemLaw(Charge charge, ItemData dataset, Function<ReplayableRandom, Point> sampler) {
    this(charge, dataset, sampler, 0);
  }

  @Override
  public void frame(Framing framing) {
    dataset.frame(framing.text(charge.mechanism()));
  }

  @Override
  public DrawnItem draw(ReplayableRandom random) {
    return new DrawnItem(sampler.apply(random));
  }

  /** Secret: never prints data. */
  @Override
  public String toString() {
    return "ItemLaw[masked]";
  }
}
