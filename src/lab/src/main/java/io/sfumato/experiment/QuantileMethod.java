// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.random.KeyedRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/** A way to publish all quantiles of numbers from one budget. */
interface QuantileMethod {
  /** For tables. */
  String name();

  /** How many releases measure it, where so many measure the others. */
  default int releases(int seeds) {
    return seeds;
  }

  /** One release after another of the same numbers: each says the value at a q in (0, 1). */
  Function<KeyedRandom, DoubleUnaryOperator> of(Amounts amounts);
}
