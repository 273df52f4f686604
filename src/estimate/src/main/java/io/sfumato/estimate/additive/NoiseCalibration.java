// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.ComposedBudget;
import io.sfumato.mechanism.BoundedCache;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.FineGridGaussian;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.TheoremD;
import io.sfumato.mechanism.additive.VectorNoise;
import io.sfumato.random.DiscreteGaussian;
import io.sfumato.random.LargeDiscreteGaussian;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The least noise that a share affords, for a request and a sensitivity: Gaussian and Laplace, on
 * counts and on finer grids. {@link VectorCalibrator} makes plans of it.
 */
public final class NoiseCalibration {
  private static final long LARGEST_VARIANCE = 1L << 44;

  /** Scales are steps of 2^-10, rates (their inverses) of 2^-20. */
  private static final long LARGEST_RATE = 1L << 30;

  /** Of variances in steps of 2^-10 on a grid. */
  private static final double LARGEST_FINE_VARIANCE = 0x1.0p62;

  /** Covers the roundings of a root and a quotient. */
  private static final double UP = 1 + 0x1.0p-40;

  /** Noise must fall by this much before a guarantee that is pure is given away for it. */
  private static final double WORTH = 0.99;

  /**
   * Nats of one randomised response beyond which it loses all of them, but for once in e^30: then
   * nothing is gained by composing.
   */
  private static final double ALL_LOST = 30;

  /** Several outputs of a file, and its versions, often have equal shares. */
  private static final BoundedCache<Asked, Optional<CalibratedNoise<AdditiveNoise>>> ON_COUNTS =
      new BoundedCache<>(1 << 8);

  private static final BoundedCache<Asked, Optional<CalibratedNoise<GridNoise>>> ON_GRIDS =
      new BoundedCache<>(1 << 8);

  private NoiseCalibration() {}

  /**
   * All that the noise follows from; without an accountant pure epsilons are added up.
   *
   * @param sensitivity of whichever kind
   */
  private record Asked(
      String method,
      Epsilon epsilon,
      Delta delta,
      long horizon,
      Optional<Accountant> accountant,
      Record sensitivity) {
    static Asked of(
        String method,
        CalibrationTarget request,
        Optional<Accountant> accountant,
        Record sensitivity) {
      return new Asked(
          method, request.epsilon(), request.delta(), request.horizon(), accountant, sensitivity);
    }
  }

  /** Discrete Gaussian noise on counts; nothing if even sigma 2^17 is too little. */
  public static Optional<CalibratedNoise<AdditiveNoise>> gaussian(
      CalibrationTarget request, Accountant accountant, Sensitivity sensitivity) {
    return ON_COUNTS.of(
        Asked.of("gaussian", request, Optional.of(accountant), sensitivity),
        asked ->
            find(
                    request,
                    accountant,
                    LARGEST_VARIANCE,
                    variance -> variance,
                    variance -> new GaussianNoise(variance).charge(sensitivity))
                .map(found -> found.with(new GaussianNoise(found.parameter()))));
  }

  /** Discrete Laplace noise on counts; nothing if even scale 2^20 is too little. */
  public static Optional<CalibratedNoise<AdditiveNoise>> laplace(
      CalibrationTarget request, Accountant accountant, Sensitivity sensitivity) {
    return ON_COUNTS.of(
        Asked.of("laplace", request, Optional.of(accountant), sensitivity),
        asked ->
            find(
                    request,
                    accountant,
                    LARGEST_RATE,
                    scale -> LARGEST_RATE / scale,
                    rate -> new LaplaceNoise(rate).charge(sensitivity))
                .map(found -> found.with(new LaplaceNoise(found.parameter()))));
  }

  /**
   * Discrete Laplace noise on counts, counted by its pure epsilon; nothing if even scale 2^20 is
   * too little.
   */
  public static Optional<CalibratedNoise<AdditiveNoise>> pureLaplace(
      CalibrationTarget request, Sensitivity sensitivity) {
    PrivacyFilter all = PrivacyFilter.PureDpFilter.of(request.epsilon());
    return ON_COUNTS.of(
        Asked.of("laplace", request, Optional.empty(), sensitivity),
        asked ->
            find(
                    LARGEST_RATE,
                    scale -> LARGEST_RATE / scale,
                    rate -> new LaplaceNoise(rate).charge(sensitivity),
                    charge -> Optional.of(all).filter(counting -> lasts(counting, charge, request)))
                .map(found -> found.with(new LaplaceNoise(found.parameter()))));
  }

  /**
   * Discrete Laplace noise on counts, of one release without a delta: its pure epsilon is at most
   * the share's. Nothing if even scale 2^20 is too little.
   */
  public static Optional<LaplaceNoise> pureLaplace(Epsilon epsilon, Sensitivity sensitivity) {
    long rate =
        epsilon
            .value()
            .multiply(BigDecimal.valueOf(LaplaceNoise.STEPS))
            .divide(new BigDecimal(sensitivity.l1()), 0, RoundingMode.FLOOR)
            .min(BigDecimal.valueOf(LARGEST_RATE))
            .longValueExact();
    // Charges round upward: a step less may be needed.
    return LongStream.of(rate, rate - 1)
        .filter(steps -> steps > 0)
        .mapToObj(LaplaceNoise::new)
        .filter(
            noise ->
                new BigDecimal(noise.charge(sensitivity).pure().orElseThrow())
                        .compareTo(epsilon.value())
                    <= 0)
        .findFirst();
  }

  /**
   * Discrete Gaussian noise on a grid; nothing if even sigma 2^56 steps is too little. Releases are
   * as many Gaussian ones, and add up in the squares of mu (analytic Gaussian).
   *
   * @param digits binary digits of the grid after the point, 0 to 40
   */
  public static Optional<CalibratedNoise<GridNoise>> gaussian(
      CalibrationTarget request, GridSensitivity sensitivity, int digits) {
    OptionalDouble mu = mu(request);
    if (mu.isEmpty()) {
      return Optional.empty();
    }
    double sigma = sensitivity.l2() * Math.sqrt(request.horizon()) / mu.getAsDouble() * UP;
    double steps = Math.ceil(Math.sqrt(sigma * sigma + TheoremD.BRIDGE));
    if (!(steps <= LargeDiscreteGaussian.LARGEST)) {
      return Optional.empty();
    }
    GridNoise noise = new GridGaussian(digits, (long) Math.max(GridGaussian.LEAST, steps));
    return Optional.of(new CalibratedNoise<>(noise, atMost(noise.charge(sensitivity), request)));
  }

  /**
   * The same, of which the variance is whole in finer steps; nothing if even a variance of 2^52
   * squared steps is too little.
   *
   * @param digits binary digits of the grid after the point, 0 to 40
   */
  public static Optional<CalibratedNoise<GridNoise>> fineGaussian(
      CalibrationTarget request, GridSensitivity sensitivity, int digits) {
    OptionalDouble mu = mu(request);
    if (mu.isEmpty()) {
      return Optional.empty();
    }
    double sigma = sensitivity.l2() * Math.sqrt(request.horizon()) / mu.getAsDouble();
    double steps = Math.ceil((sigma * sigma * UP + TheoremD.BRIDGE) * DiscreteGaussian.STEPS);
    double least = Math.ceil((TheoremD.LEAST_VARIANCE + 1) * DiscreteGaussian.STEPS);
    if (!(steps <= LARGEST_FINE_VARIANCE)) {
      return Optional.empty();
    }
    GridNoise noise = new FineGridGaussian(digits, (long) Math.max(least, steps));
    return Optional.of(new CalibratedNoise<>(noise, atMost(noise.charge(sensitivity), request)));
  }

  /** Of all releases together; nothing where no noise is enough. */
  private static OptionalDouble mu(CalibrationTarget request) {
    try {
      return OptionalDouble.of(
          GaussianBudget.mu(request.epsilon(), request.delta(), Accountant.EXACT));
    } catch (IllegalArgumentException e) {
      return OptionalDouble.empty();
    }
  }

  private static PrivacyFilter atMost(PrivacyCost charge, CalibrationTarget request) {
    return new PrivacyFilter.FixedCountFilter(charge.mechanism(), request.horizon());
  }

  /**
   * Discrete Laplace noise on a grid; nothing if even a scale of 2^40 steps is too little. Pure
   * losses add up; of many releases the composed privacy-loss distribution needs less noise, and
   * one Rényi order for very many. Those leave a delta, so they must need 1% less.
   *
   * @param digits binary digits of the grid after the point, 0 to 40
   */
  public static Optional<CalibratedNoise<GridNoise>> laplace(
      CalibrationTarget request, GridSensitivity sensitivity, int digits) {
    return ON_GRIDS.of(
        Asked.of("laplace of 2^-" + digits, request, Optional.of(Accountant.EXACT), sensitivity),
        asked -> leastLaplace(request, sensitivity, digits));
  }

  private static Optional<CalibratedNoise<GridNoise>> leastLaplace(
      CalibrationTarget request, GridSensitivity sensitivity, int digits) {
    Optional<CalibratedNoise<GridNoise>> pure =
        pureLaplace(request.epsilon(), request.horizon(), sensitivity, digits);
    double responses = (double) request.horizon() * sensitivity.parts();
    if (responses == 1 || request.epsilon().roundedDown() / responses > ALL_LOST) {
      return pure;
    }
    LongFunction<PrivacyCost> charge = scale -> new GridLaplace(digits, scale).charge(sensitivity);
    double most = pure.map(found -> WORTH * found.noise().steps()).orElse((double) Long.MAX_VALUE);
    // Releases that share noises have no profile.
    Accountant accountant = sensitivity.sharing() > 1 ? Accountant.RENYI : Accountant.EXACT;
    return find(request, accountant, GridLaplace.LARGEST, scale -> scale, charge)
        .filter(found -> found.parameter() <= most)
        .map(found -> found.<GridNoise>with(new GridLaplace(digits, found.parameter())))
        .or(() -> pure);
  }

  /**
   * Discrete Laplace noise on a grid, of scale ceil(n sensitivity / epsilon), n the number of
   * releases: basic composition, and delta is not used. Counted in pure epsilons where these are
   * whole units, else by number.
   *
   * @param releases n, at least 1
   * @param digits binary digits of the grid after the point, 0 to 40
   */
  public static Optional<CalibratedNoise<GridNoise>> pureLaplace(
      Epsilon epsilon, long releases, GridSensitivity sensitivity, int digits) {
    BigDecimal scale =
        BigDecimal.valueOf(sensitivity.l1())
            .multiply(BigDecimal.valueOf(releases))
            .divide(epsilon.value(), 0, RoundingMode.CEILING)
            .max(BigDecimal.ONE);
    if (scale.compareTo(BigDecimal.valueOf(GridLaplace.LARGEST)) > 0) {
      return Optional.empty();
    }
    GridNoise noise = new GridLaplace(digits, scale.longValueExact());
    PrivacyCost charge = noise.charge(sensitivity);
    PrivacyFilter sum = PrivacyFilter.PureDpFilter.of(epsilon);
    return Optional.of(
        new CalibratedNoise<>(
            noise,
            sum.cap() / Math.max(1, sum.cost(charge)) >= releases
                ? sum
                : new PrivacyFilter.FixedCountFilter(charge.mechanism(), releases)));
  }

  /**
   * What a search finds.
   *
   * @param parameter of the noise, in its steps
   */
  private record Found(long parameter, PrivacyFilter counting) {
    <N extends VectorNoise> CalibratedNoise<N> with(N noise) {
      return new CalibratedNoise<>(noise, counting);
    }
  }

  /**
   * @param most largest noise, in steps from 1
   * @param parameter by the steps of noise
   * @param costs of one release with a parameter
   */
  private static Optional<Found> find(
      CalibrationTarget request,
      Accountant accountant,
      long most,
      LongUnaryOperator parameter,
      LongFunction<PrivacyCost> costs) {
    return switch (accountant) {
      case EXACT -> {
        LongFunction<PrivacyCost> charge = steps -> costs.apply(parameter.applyAsLong(steps));
        ComposedBudget budget = ComposedBudget.of(request);
        // Both bounds hold for a fixed number; over millions of releases the grid's is the looser.
        List<PrivacyFilter.RenyiFilter> orders = orders(request);
        LongPredicate renyi = steps -> order(orders, request, charge.apply(steps)).isPresent();
        long noise =
            Math.min(
                NoiseSearch.smallest(renyi, most),
                NoiseSearch.smallest(
                    steps -> excess(budget, charge.apply(steps), Precision.COARSE),
                    steps -> excess(budget, charge.apply(steps), Precision.FINE),
                    most));
        yield noise > most
            ? Optional.empty()
            : Optional.of(
                new Found(
                    parameter.applyAsLong(noise),
                    new PrivacyFilter.FixedCountFilter(
                        charge.apply(noise).mechanism(), request.horizon())));
      }
      case RENYI -> {
        List<PrivacyFilter.RenyiFilter> orders = orders(request);
        yield find(most, parameter, costs, charge -> order(orders, request, charge));
      }
      default ->
          throw new IllegalArgumentException("the paper has no bound of its own for baselines");
    };
  }

  /**
   * @param counting by which the wanted releases of a charge fit, if there is one
   */
  private static Optional<Found> find(
      long most,
      LongUnaryOperator parameter,
      LongFunction<PrivacyCost> costs,
      Function<PrivacyCost, Optional<PrivacyFilter>> counting) {
    LongFunction<Optional<PrivacyFilter>> counted =
        steps -> counting.apply(costs.apply(parameter.applyAsLong(steps)));
    LongPredicate fits = steps -> counted.apply(steps).isPresent();
    long noise = NoiseSearch.smallest(fits, most);
    return noise > most
        ? Optional.empty()
        : counted.apply(noise).map(found -> new Found(parameter.applyAsLong(noise), found));
  }

  private static double excess(ComposedBudget budget, PrivacyCost charge, Precision precision) {
    return budget.excess(charge.profile().orElseThrow(), precision);
  }

  /** What the request leaves at each order. */
  private static List<PrivacyFilter.RenyiFilter> orders(CalibrationTarget request) {
    return IntStream.range(0, RenyiOrders.size())
        .mapToObj(RenyiOrders::at)
        .map(order -> PrivacyFilter.RenyiFilter.of(request.epsilon(), request.delta(), order))
        .toList();
  }

  /** The first order at which the horizon fits. */
  private static Optional<PrivacyFilter> order(
      List<PrivacyFilter.RenyiFilter> orders, CalibrationTarget request, PrivacyCost charge) {
    return orders.stream()
        .filter(counting -> lasts(counting, charge, request))
        .<PrivacyFilter>map(counting -> counting)
        .findFirst();
  }

  private static boolean lasts(
      PrivacyFilter counting, PrivacyCost charge, CalibrationTarget request) {
    return counting.cap() / Math.max(1, counting.cost(charge)) >= request.horizon();
  }
}
