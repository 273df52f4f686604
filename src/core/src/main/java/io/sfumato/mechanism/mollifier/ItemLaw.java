// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
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
    PrivacyCost charge, ItemData dataset, Function<KeyedRandom, Point> sampler, int failures)
    implements OutputDistribution<DrawnItem> {
  /** Of a law that is not learned. */
  ItemLaw(PrivacyCost charge, ItemData dataset, Function<KeyedRandom, Point> sampler) {
    this(charge, dataset, sampler, 0);
  }

  @Override
  public void encodeInput(CanonicalEncoder encoder) {
    dataset.encodeInput(encoder.text(charge.mechanism()));
  }

  @Override
  public DrawnItem draw(KeyedRandom random) {
    return new DrawnItem(sampler.apply(random));
  }

  /** Secret: never prints data. */
  @Override
  public String toString() {
    return "ItemLaw[masked]";
  }
}
