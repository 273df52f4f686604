// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import io.sfumato.combine.StatedNoise.Law;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Independent noises that are added up, equal ones once.
 *
 * @param parts with a known distribution
 * @param unstated by how much noise that is known by its rounded half width alone may reach further
 */
record NoiseParts(List<NoisePart> parts, double unstated) {
  private static final double CLOSE = 1e-9;

  /** Of rounded noises alone each counts as Gaussian; beside other noise, the tails count too. */
  static NoiseParts of(List<NoisePart> given) {
    List<NoisePart> noisy = given.stream().filter(part -> part.deviation() != 0).toList();
    boolean isRounded = noisy.stream().allMatch(NoisePart::isRounded);
    Map<NoisePart, Long> counts = new LinkedHashMap<>();
    for (NoisePart part : noisy) {
      double step = part.isRounded() ? 0 : part.step();
      counts.merge(
          new NoisePart(part.deviation(), law(part.law(), isRounded), step, 1),
          part.times(),
          Long::sum);
    }
    List<NoisePart> merged = new ArrayList<>();
    counts.forEach(
        (part, times) ->
            merged.add(new NoisePart(part.deviation(), part.law(), part.step(), times)));
    double widest =
        noisy.stream().filter(NoisePart::isRounded).mapToDouble(NoisePart::step).max().orElse(0);
    return new NoiseParts(List.copyOf(merged), isRounded ? widest / 2 : widest);
  }

  private static Law law(Law stated, boolean isRounded) {
    if (isRounded || stated == Law.ROUNDED_GAUSSIAN) {
      return Law.GAUSSIAN;
    }
    return stated == Law.ROUNDED_LAPLACE ? Law.LAPLACE : stated;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  boolean isGaussian() {
    return laplace().isEmpty();
  }

  List<NoisePart> laplace() {
    return parts.stream().filter(NoisePart::isLaplace).toList();
  }

  double deviation() {
    return Math.sqrt(parts.stream().mapToDouble(NoisePart::variance).sum());
  }

  /** Of the steps whose distribution is known. */
  double largestStep() {
    return parts.stream().mapToDouble(NoisePart::step).max().orElse(0);
  }

  /** Of the Gaussian parts together, smoothed by a uniform draw of the largest step. */
  double smoothedGaussianVariance() {
    List<NoisePart> gaussian = parts.stream().filter(part -> !part.isLaplace()).toList();
    double largest = largestStep();
    return gaussian.stream().mapToDouble(NoisePart::variance).sum()
        + (gaussian.isEmpty() ? 0 : largest * largest / 12);
  }

  /** Of which the sum is a multiple. */
  OptionalDouble commonStep() {
    double step = parts.stream().mapToDouble(NoisePart::step).min().orElse(0);
    boolean isCommon = step > 0 && parts.stream().allMatch(part -> isMultiple(part.step() / step));
    return isCommon ? OptionalDouble.of(step) : OptionalDouble.empty();
  }

  private static boolean isMultiple(double steps) {
    return Math.abs(steps - Math.rint(steps)) <= CLOSE;
  }

  double characteristic(double t) {
    double product = 1;
    for (NoisePart part : parts) {
      product *= part.characteristic(t);
    }
    return product;
  }
}
