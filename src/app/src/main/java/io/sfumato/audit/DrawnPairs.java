// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.mechanism.ExactData;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.PlannedRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Draws of one output whose exact inputs differ between two neighbouring runs.
 *
 * @param <D> the exact input
 * @param checker what is known of them
 * @param pairs the same draw in both runs, at least one
 * @param assumed what its charges assume, and how many there are
 */
record DrawnPairs<D extends ExactData>(
    LossChecker<D> checker, List<Pair<D>> pairs, ChargeAssumptions assumed) {

  PlannedRelease release() {
    return assumed.planned();
  }

  /** Name of the ledgers that pay for them. */
  String ledger() {
    return release().share().name();
  }

  /** The mechanism with its full parameters: charges of one text are the same charge. */
  String mechanism() {
    return release().charge().mechanism();
  }

  /** These and draws of the same mechanism that an earlier version made, under its last terms. */
  @SuppressWarnings("unchecked")
  DrawnPairs<D> with(DrawnPairs<?> earlier) {
    return new DrawnPairs<>(
        checker,
        Stream.concat(((DrawnPairs<D>) earlier).pairs.stream(), pairs.stream()).toList(),
        assumed);
  }

  /** The other way round. */
  DrawnPairs<D> swapped() {
    return new DrawnPairs<>(checker, pairs.stream().map(Pair::swapped).toList(), assumed);
  }

  /** What all of them lose together, in nats; nothing if a law has no closed form. */
  OptionalDouble loss(double order) {
    double sum = 0;
    for (Pair<D> pair : pairs) {
      OptionalDouble divergence = checker.divergence(order, pair);
      if (divergence.isEmpty()) {
        return divergence;
      }
      sum += divergence.getAsDouble();
    }
    return OptionalDouble.of(sum);
  }

  /** Where a share counts: at its one order, or at every one at which its charge says anything. */
  List<Double> orders() {
    if (release().share().filter() instanceof PrivacyFilter.RenyiFilter at) {
      return List.of(at.order());
    }
    List<Double> orders = new ArrayList<>();
    for (int i = 0; i < RenyiOrders.size(); i++) {
      if (Double.isFinite(release().charge().curve().at(RenyiOrders.at(i)))) {
        orders.add(RenyiOrders.at(i));
      }
    }
    return orders;
  }
}
