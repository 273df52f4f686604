// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.count;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.LeastNoise;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.count.CountMechanism;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The least noise on counts that a share affords. */
public final class CountPlanner {
  private CountPlanner() {}

  /** Discrete Gaussian noise; nothing if even sigma 2^17 is too little. */
  public static Optional<Planned<CountMechanism>> gaussian(
      ShareRequest request, Sensitivity sensitivity) {
    return LeastNoise.gaussian(request, Accountant.RENYI, sensitivity)
        .map(found -> plan(request, found, new GaussianNoise(found.parameter()), sensitivity));
  }

  /**
   * Discrete Laplace noise; nothing if even scale 2^20 is too little. Where a window moves several
   * noises it is counted by whatever needs less of it: one Rényi order, or the pure epsilon.
   */
  public static Optional<Planned<CountMechanism>> laplace(
      ShareRequest request, Sensitivity sensitivity) {
    Optional<LeastNoise> renyi = LeastNoise.laplace(request, Accountant.RENYI, sensitivity);
    Optional<LeastNoise> pure =
        sensitivity.shifts().size() > 1
            ? LeastNoise.pureLaplace(request, sensitivity)
            : Optional.empty(); // of one noise, files in use have plans at one order
    return Stream.of(renyi, pure)
        .flatMap(Optional::stream)
        .max(Comparator.comparingLong(LeastNoise::parameter))
        .map(found -> laplace(request, found, sensitivity));
  }

  static Planned<CountMechanism> laplace(
      ShareRequest request, LeastNoise least, Sensitivity sensitivity) {
    return plan(request, least, new LaplaceNoise(least.parameter()), sensitivity);
  }

  /** Not a window more than asked for: the sensitivity of running counts rests on that. */
  private static Planned<CountMechanism> plan(
      ShareRequest request, LeastNoise least, AdditiveNoise noise, Sensitivity sensitivity) {
    CountMechanism mechanism = new CountMechanism(noise, sensitivity);
    long cost = least.counting().cost(mechanism.charge());
    return Planned.of(request, least.counting().withCap(cost * request.horizon()), mechanism);
  }
}
