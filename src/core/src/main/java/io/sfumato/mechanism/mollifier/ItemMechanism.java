// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.mechanism.Mechanism;
import java.util.Optional;
import java.util.OptionalDouble;

/** Draws synthetic items of one dataset; each item is one charge of unit {@code dataset}. */
public sealed interface ItemMechanism extends Mechanism<ItemData, DrawnItem>
    permits FiniteItems, CellItems, PooledItems, BoostedItems {
  @Override
  ItemLaw distribution(ItemData dataset);

  /**
   * The exact law over the categories or cells; nothing for densities without cells.
   *
   * @return all above 0, adding up to 1
   */
  default Optional<double[]> probabilities(ItemData dataset) {
    return Optional.empty();
  }

  @Override
  default OptionalDouble divergence(double order, ItemData first, ItemData second) {
    Optional<double[]> p = probabilities(first);
    Optional<double[]> q = probabilities(second);
    return p.isPresent() && q.isPresent()
        ? OptionalDouble.of(RenyiDivergences.finite(order, p.get(), q.get()))
        : OptionalDouble.empty();
  }
}
