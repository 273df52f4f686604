// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.random.KeyedRandom;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * By a {@link GoogleTree}.
 *
 * @param noise Laplace noise leaves delta alone
 */
record GoogleQuantiles(GoogleNoise noise, CalibrationTarget budget) implements QuantileMethod {
  @Override
  public String name() {
    return "Google, " + noise.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Function<KeyedRandom, DoubleUnaryOperator> of(Amounts amounts) {
    GoogleTree tree =
        GoogleTree.of(amounts, noise, budget.epsilon().roundedDown(), budget.delta().roundedDown());
    return random -> tree.draw(random)::quantile;
  }
}
