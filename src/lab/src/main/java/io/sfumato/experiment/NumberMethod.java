// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.random.KeyedRandom;
import java.util.Map;
import java.util.function.Function;

/** A way to publish statistics of numbers, with a budget of its own. */
interface NumberMethod {
  /** For tables. */
  String name();

  /** How many releases measure it, where so many measure the others. */
  default int releases(int seeds) {
    return seeds;
  }

  /** One release after another of the same numbers: statistics that it is asked for. */
  Function<KeyedRandom, Map<Statistic, Double>> of(Amounts amounts);
}
