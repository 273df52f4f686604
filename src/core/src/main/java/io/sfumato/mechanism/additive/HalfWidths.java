// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.mechanism.BoundedCache;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Half widths that were asked for before: every window's error bars ask for the same few, which a
 * law's tails take a hundred evaluations for. They follow from public parameters alone.
 */
final class HalfWidths {
  private static final BoundedCache<Asked, Double> KNOWN = new BoundedCache<>(1 << 10);

  private record Asked(ErrorLaw noise, double confidence, List<Double> weights) {}

  private HalfWidths() {}

  static double of(ErrorLaw noise, double confidence, double[] weights, DoubleSupplier found) {
    List<Double> boxed = Arrays.stream(weights).boxed().toList();
    return KNOWN.of(new Asked(noise, confidence, boxed), asked -> found.getAsDouble());
  }
}
