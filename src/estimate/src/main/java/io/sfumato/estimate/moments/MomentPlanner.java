// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Share;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.LeastGridNoise;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.moments.MomentMechanism;
import io.sfumato.mechanism.moments.MomentSensitivity;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The least noise on parts that a share affords. */
public final class MomentPlanner {
  private MomentPlanner() {}

  /** Discrete Gaussian noise; nothing if even sigma 2^36 records is too little. */
  public static Optional<Planned<MomentMechanism>> gaussian(
      ShareRequest request, MomentSensitivity sensitivity) {
    return LeastGridNoise.gaussian(request, sensitivity.moved(), GridNoise.DIGITS)
        .map(least -> plan(request, least, sensitivity));
  }

  /** Discrete Laplace noise; nothing if even scale 2^20 records is too little. */
  public static Optional<Planned<MomentMechanism>> laplace(
      ShareRequest request, MomentSensitivity sensitivity) {
    return LeastGridNoise.laplace(request, sensitivity.moved(), GridNoise.DIGITS)
        .map(least -> plan(request, least, sensitivity));
  }

  /**
   * Discrete Laplace noise for a share without a delta, whose pure losses add up; nothing if even
   * scale 2^20 records is too little.
   *
   * @param output that spends the share
   * @param releases that must fit, at least 1
   */
  public static Optional<Planned<MomentMechanism>> pureLaplace(
      String output, Epsilon epsilon, long releases, MomentSensitivity sensitivity) {
    return LeastGridNoise.pureLaplace(epsilon, releases, sensitivity.moved(), GridNoise.DIGITS)
        .map(
            least ->
                new Planned<>(
                    new Share(output, epsilon, Delta.of("0"), least.counting()),
                    new MomentMechanism(least.noise(), sensitivity)));
  }

  /**
   * What the share affords, by the width of the 95% interval that a mean in the middle of its range
   * is expected to have: the narrowest first. (It is in inverse proportion to the number of
   * records, so that this order is the same for all.)
   *
   * @param ways what may be drawn: the same neighbours, seen by other parts
   */
  public static List<Planned<MomentMechanism>> best(
      ShareRequest request, List<MomentSensitivity> ways) {
    return narrowestFirst(
        ways.stream()
            .flatMap(
                way ->
                    Stream.of(gaussian(request, way), laplace(request, way))
                        .flatMap(Optional::stream)));
  }

  /** Plans by the width of a mean's interval, the narrowest first; of equal ones as they come. */
  public static List<Planned<MomentMechanism>> narrowestFirst(
      Stream<Planned<MomentMechanism>> plans) {
    return plans
        .sorted(
            Comparator.comparingDouble(
                plan -> MomentError.ofOneRecord(PartsError.of(plan.mechanism())).halfWidth()))
        .toList();
  }

  private static Planned<MomentMechanism> plan(
      ShareRequest request, LeastGridNoise least, MomentSensitivity sensitivity) {
    return Planned.of(request, least.counting(), new MomentMechanism(least.noise(), sensitivity));
  }
}
