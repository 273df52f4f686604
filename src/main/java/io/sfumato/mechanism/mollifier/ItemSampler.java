// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.Charge;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;

/** Draws synthetic items of one dataset; each item is one charge of unit {@code dataset}. */
public sealed interface ItemSampler permits FiniteItems, CellItems, BoostedItems {
  /** The word of pipeline files: {@code mollifier}, {@code clipped}. */
  String method();

  /** The cost of one item. */
  Charge charge();

  /** The parameters by name, for people and reports. */
  Map<String, Double> parameters();

  /** The private law of a dataset's items: made once, drawn from as often as was charged. */
  Law law(ItemData dataset);

  /** A law from which items are drawn. */
  interface Law {
    Point draw(ReplayableRandom random);

    /** How often a learner failed while the law was fitted. */
    default int failures() {
      return 0;
    }
  }
}
