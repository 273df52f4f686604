// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.LeastNoise;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The noise on buckets that a share affords, for one draw. */
public final class BoundsPlanner {
  private BoundsPlanner() {}

  /**
   * Discrete Laplace and, with a delta, Gaussian noise: the one with the lower threshold first.
   * None if neither can be afforded.
   *
   * @param request of one release
   */
  public static List<Planned<BoundsMechanism>> best(ShareRequest request, Sensitivity sensitivity) {
    boolean pure = request.delta().value().signum() == 0;
    Optional<AdditiveNoise> laplace =
        (pure
                ? LeastNoise.pureLaplace(request, sensitivity)
                : LeastNoise.laplace(request, Accountant.EXACT, sensitivity))
            .map(found -> new LaplaceNoise(found.parameter()));
    Optional<AdditiveNoise> gaussian =
        pure
            ? Optional.empty()
            : LeastNoise.gaussian(request, Accountant.RENYI, sensitivity)
                .map(found -> new GaussianNoise(found.parameter()));
    return Stream.of(laplace, gaussian)
        .flatMap(Optional::stream)
        .map(noise -> plan(request, new BoundsMechanism(noise, sensitivity)))
        .sorted(Comparator.comparingLong(plan -> plan.mechanism().threshold()))
        .toList();
  }

  /** One draw, whatever noise would afford: it is drawn once a period. */
  private static Planned<BoundsMechanism> plan(ShareRequest request, BoundsMechanism mechanism) {
    Counting once = new Counting.AtMost(mechanism.charge().mechanism(), 1);
    return new Planned<>(
        new Share(request.name(), request.epsilon(), request.delta(), once), mechanism);
  }
}
