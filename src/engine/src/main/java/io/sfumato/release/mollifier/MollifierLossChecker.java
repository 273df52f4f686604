// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemMechanism;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Synthetic items: laws of any two datasets lie within one band. */
final class MollifierLossChecker implements LossChecker<ItemData> {
  private static final double ROUNDING = 1e-9;

  /** Any two datasets are neighbours; what may not lie apart are their laws. */
  @Override
  public List<String> tooFar(List<Pair<ItemData>> pairs, ChargeAssumptions assumed) {
    List<String> far = new ArrayList<>();
    double epsilon = assumed.charge().pure().orElseThrow();
    for (Pair<ItemData> pair : pairs) {
      Optional<double[]> first = distribution(pair.first());
      Optional<double[]> second = distribution(pair.second());
      if (first.isEmpty() || second.isEmpty()) {
        continue;
      }
      double largest = 0;
      for (int i = 0; i < first.get().length; i++) {
        largest = Math.max(largest, Math.abs(StrictMath.log(first.get()[i] / second.get()[i])));
      }
      if (largest > epsilon + ROUNDING) {
        far.add(
            "item %s: the laws differ by a factor of e^%s, the charge is %s"
                .formatted(pair.first().id().text(), largest, epsilon));
      }
    }
    return far;
  }

  private static Optional<double[]> distribution(Draw<ItemData> draw) {
    return ((ItemMechanism) draw.mechanism()).probabilities(draw.exact());
  }

  @Override
  public Optional<String> chargeOf(Draw<ItemData> draw, ChargeAssumptions assumed) {
    return Optional.of(draw.id().text());
  }
}
