// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.mechanism.Memo;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.noise.WideGaussian;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The least noise on a grid that a share affords, and how its releases are counted.
 *
 * @param noise with its parameter
 * @param counting of the share: it covers the horizon
 */
public record LeastGridNoise(GridNoise noise, Counting counting) {
  private static final double UP = 1 + 0x1.0p-40;

  /** Noise must fall by this much before a guarantee that is pure is given away for it. */
  private static final double WORTH = 0.99;

  /**
   * Nats of one randomised response beyond which it loses all of them, but for once in e^30: then
   * nothing is gained by composing.
   */
  private static final double ALL_LOST = 30;

  private static final Memo<LeastNoise.Asked, Optional<LeastGridNoise>> FOUND = new Memo<>(1 << 8);

  /**
   * Discrete Gaussian; nothing if even sigma 2^56 steps is too little. Releases are as many
   * Gaussian ones, and add up in the squares of mu (analytic Gaussian).
   */
  public static Optional<LeastGridNoise> gaussian(
      ShareRequest request, GridSensitivity sensitivity, int digits) {
    double mu;
    try {
      mu = GaussianBudget.mu(request.epsilon(), request.delta(), Accountant.EXACT);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    double sigma = sensitivity.l2() * Math.sqrt(request.horizon()) / mu * UP;
    double steps = Math.ceil(Math.sqrt(sigma * sigma + GridGaussian.BRIDGE));
    if (!(steps <= WideGaussian.LARGEST)) {
      return Optional.empty();
    }
    GridGaussian noise = new GridGaussian(digits, (long) Math.max(GridGaussian.LEAST, steps));
    return Optional.of(new LeastGridNoise(noise, atMost(noise.charge(sensitivity), request)));
  }

  /**
   * Discrete Laplace; nothing if even a scale of 2^40 steps is too little. Pure losses add up; of
   * many releases the composed privacy-loss distribution needs less noise, and one Rényi order for
   * very many. Those leave a delta, so they must need 1% less.
   */
  public static Optional<LeastGridNoise> laplace(
      ShareRequest request, GridSensitivity sensitivity, int digits) {
    return FOUND.of(
        LeastNoise.Asked.of(
            "laplace of 2^-" + digits, request, Optional.of(Accountant.EXACT), sensitivity),
        asked -> leastLaplace(request, sensitivity, digits));
  }

  private static Optional<LeastGridNoise> leastLaplace(
      ShareRequest request, GridSensitivity sensitivity, int digits) {
    Optional<LeastGridNoise> pure =
        pureLaplace(request.epsilon(), request.horizon(), sensitivity, digits);
    double responses = (double) request.horizon() * sensitivity.parts();
    if (responses == 1 || request.epsilon().roundedDown() / responses > ALL_LOST) {
      return pure;
    }
    LongFunction<Charge> charge = scale -> new GridLaplace(digits, scale).charge(sensitivity);
    double most = pure.map(found -> WORTH * found.noise().steps()).orElse((double) Long.MAX_VALUE);
    Optional<LeastGridNoise> composed =
        LeastNoise.find(request, Accountant.EXACT, GridLaplace.LARGEST, scale -> scale, charge)
            .filter(found -> found.parameter() <= most)
            .map(
                found ->
                    new LeastGridNoise(
                        new GridLaplace(digits, found.parameter()), found.counting()));
    return composed.or(() -> pure);
  }

  /**
   * Discrete Laplace of scale ceil(n sensitivity / epsilon), n the number of releases: basic
   * composition, and delta is not used. Counted in pure epsilons where these are whole units, else
   * by number.
   *
   * @param releases n, at least 1
   */
  public static Optional<LeastGridNoise> pureLaplace(
      Epsilon epsilon, long releases, GridSensitivity sensitivity, int digits) {
    BigDecimal scale =
        BigDecimal.valueOf(sensitivity.l1())
            .multiply(BigDecimal.valueOf(releases))
            .divide(epsilon.value(), 0, RoundingMode.CEILING)
            .max(BigDecimal.ONE);
    if (scale.compareTo(BigDecimal.valueOf(GridLaplace.LARGEST)) > 0) {
      return Optional.empty();
    }
    GridLaplace noise = new GridLaplace(digits, scale.longValueExact());
    Charge charge = noise.charge(sensitivity);
    Counting sum = Counting.PureSum.of(epsilon);
    return Optional.of(
        new LeastGridNoise(
            noise,
            sum.cap() / Math.max(1, sum.cost(charge)) >= releases
                ? sum
                : new Counting.AtMost(charge.mechanism(), releases)));
  }

  private static Counting atMost(Charge charge, ShareRequest request) {
    return new Counting.AtMost(charge.mechanism(), request.horizon());
  }
}
