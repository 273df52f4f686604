// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.bounds;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Share;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.LeastNoise;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.bounds.BoundsMechanism;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The noise on buckets that a share affords, for one draw. */
public final class BoundsPlanner {
  /** The least noise that there is. */
  private static final long LARGEST_RATE = 1L << 30;

  private BoundsPlanner() {}

  /**
   * Discrete Laplace and Gaussian noise: the one with the lower threshold first. None if neither
   * can be afforded.
   *
   * @param request of one release
   */
  public static List<Planned<BoundsMechanism>> best(ShareRequest request, Sensitivity sensitivity) {
    Optional<AdditiveNoise> laplace =
        LeastNoise.laplace(request, Accountant.EXACT, sensitivity)
            .map(found -> new LaplaceNoise(found.parameter()));
    Optional<AdditiveNoise> gaussian =
        LeastNoise.gaussian(request, Accountant.RENYI, sensitivity)
            .map(found -> new GaussianNoise(found.parameter()));
    return Stream.of(laplace, gaussian)
        .flatMap(Optional::stream)
        .map(noise -> new BoundsMechanism(noise, sensitivity))
        .map(found -> once(request.name(), request.epsilon(), request.delta(), found))
        .sorted(Comparator.comparingLong(plan -> plan.mechanism().threshold()))
        .toList();
  }

  /**
   * Discrete Laplace noise of one release without a delta: its pure epsilon is at most the share's.
   * Nothing if even scale 2^20 is too little.
   */
  public static Optional<Planned<BoundsMechanism>> pure(
      String ledger, Epsilon epsilon, Sensitivity sensitivity) {
    BigDecimal rate =
        epsilon
            .value()
            .multiply(BigDecimal.valueOf(LaplaceNoise.STEPS))
            .divide(new BigDecimal(sensitivity.l1()), 0, RoundingMode.FLOOR)
            .min(BigDecimal.valueOf(LARGEST_RATE));
    // Charges round upward: a step less may be needed.
    return LongStream.of(rate.longValueExact(), rate.longValueExact() - 1)
        .filter(steps -> steps > 0)
        .mapToObj(steps -> new BoundsMechanism(new LaplaceNoise(steps), sensitivity))
        .filter(found -> fits(found, epsilon))
        .map(found -> once(ledger, epsilon, Delta.of("0"), found))
        .findFirst();
  }

  private static boolean fits(BoundsMechanism found, Epsilon epsilon) {
    return new BigDecimal(found.charge().pure().orElseThrow()).compareTo(epsilon.value()) <= 0;
  }

  /** One draw, whatever noise would afford: it is drawn once a period. */
  private static Planned<BoundsMechanism> once(
      String ledger, Epsilon epsilon, Delta delta, BoundsMechanism mechanism) {
    Counting once = new Counting.AtMost(mechanism.charge().mechanism(), 1);
    return new Planned<>(new Share(ledger, epsilon, delta, once), mechanism);
  }
}
