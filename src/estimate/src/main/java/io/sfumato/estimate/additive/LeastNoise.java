// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Composition.Precision;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.ComposedBudget;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.mechanism.Memo;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * The least noise that a share affords, and how its releases are counted.
 *
 * @param parameter sigma^2 in steps of 2^-10, or 1/scale in steps of 2^-20
 * @param counting of the share
 */
public record LeastNoise(long parameter, Counting counting) {
  private static final long LARGEST_VARIANCE = 1L << 44;

  /** Scales are steps of 2^-10, rates (their inverses) of 2^-20. */
  private static final long LARGEST_RATE = 1L << 30;

  /** Several outputs of a file, and its versions, often have equal shares. */
  private static final Memo<Asked, Optional<LeastNoise>> FOUND = new Memo<>(1 << 8);

  /**
   * All that the noise follows from; without an accountant pure epsilons are added up.
   *
   * @param sensitivity of whichever kind
   */
  record Asked(
      String method,
      Epsilon epsilon,
      Delta delta,
      long horizon,
      Optional<Accountant> accountant,
      Record sensitivity) {
    static Asked of(
        String method, ShareRequest request, Optional<Accountant> accountant, Record sensitivity) {
      return new Asked(
          method, request.epsilon(), request.delta(), request.horizon(), accountant, sensitivity);
    }
  }

  /** Discrete Gaussian; nothing if even sigma 2^17 is too little. */
  public static Optional<LeastNoise> gaussian(
      ShareRequest request, Accountant accountant, Sensitivity sensitivity) {
    return FOUND.of(
        Asked.of("gaussian", request, Optional.of(accountant), sensitivity),
        asked ->
            find(
                request,
                accountant,
                LARGEST_VARIANCE,
                variance -> variance,
                variance -> new GaussianNoise(variance).charge(sensitivity)));
  }

  /** Discrete Laplace; nothing if even scale 2^20 is too little. */
  public static Optional<LeastNoise> laplace(
      ShareRequest request, Accountant accountant, Sensitivity sensitivity) {
    return FOUND.of(
        Asked.of("laplace", request, Optional.of(accountant), sensitivity),
        asked ->
            find(
                request,
                accountant,
                LARGEST_RATE,
                scale -> LARGEST_RATE / scale,
                rate -> new LaplaceNoise(rate).charge(sensitivity)));
  }

  /** Discrete Laplace, counted by its pure epsilon; nothing if even scale 2^20 is too little. */
  public static Optional<LeastNoise> pureLaplace(ShareRequest request, Sensitivity sensitivity) {
    Counting all = Counting.PureSum.of(request.epsilon());
    return FOUND.of(
        Asked.of("laplace", request, Optional.empty(), sensitivity),
        asked ->
            find(
                LARGEST_RATE,
                scale -> LARGEST_RATE / scale,
                rate -> new LaplaceNoise(rate).charge(sensitivity),
                charge -> Optional.of(all).filter(counting -> lasts(counting, charge, request))));
  }

  /**
   * @param most largest noise, in steps from 1
   * @param parameter by the steps of noise
   * @param costs of one release with a parameter
   */
  static Optional<LeastNoise> find(
      ShareRequest request,
      Accountant accountant,
      long most,
      LongFunction<Long> parameter,
      LongFunction<Charge> costs) {
    return switch (accountant) {
      case EXACT -> {
        LongFunction<Charge> charge = steps -> costs.apply(parameter.apply(steps));
        ComposedBudget budget = ComposedBudget.of(request);
        // Both bounds hold for a fixed number; over millions of releases the grid's is the looser.
        List<Counting.AtOrder> orders = orders(request);
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
                new LeastNoise(
                    parameter.apply(noise),
                    new Counting.AtMost(charge.apply(noise).mechanism(), request.horizon())));
      }
      case RENYI -> {
        List<Counting.AtOrder> orders = orders(request);
        yield find(most, parameter, costs, charge -> order(orders, request, charge));
      }
      default ->
          throw new IllegalArgumentException("the paper has no bound of its own for baselines");
    };
  }

  /**
   * @param counting by which the wanted releases of a charge fit, if there is one
   */
  private static Optional<LeastNoise> find(
      long most,
      LongFunction<Long> parameter,
      LongFunction<Charge> costs,
      Function<Charge, Optional<Counting>> counting) {
    LongFunction<Optional<Counting>> counted =
        steps -> counting.apply(costs.apply(parameter.apply(steps)));
    LongPredicate fits = steps -> counted.apply(steps).isPresent();
    long noise = NoiseSearch.smallest(fits, most);
    return noise > most
        ? Optional.empty()
        : counted.apply(noise).map(found -> new LeastNoise(parameter.apply(noise), found));
  }

  private static double excess(ComposedBudget budget, Charge charge, Precision precision) {
    return budget.excess(charge.profile().orElseThrow(), precision);
  }

  /** What the request leaves at each order. */
  private static List<Counting.AtOrder> orders(ShareRequest request) {
    return IntStream.range(0, RenyiOrders.size())
        .mapToObj(RenyiOrders::at)
        .map(order -> Counting.AtOrder.of(request.epsilon(), request.delta(), order))
        .toList();
  }

  /** The first order at which the horizon fits. */
  private static Optional<Counting> order(
      List<Counting.AtOrder> orders, ShareRequest request, Charge charge) {
    return orders.stream()
        .filter(counting -> lasts(counting, charge, request))
        .<Counting>map(counting -> counting)
        .findFirst();
  }

  private static boolean lasts(Counting counting, Charge charge, ShareRequest request) {
    return counting.cap() / Math.max(1, counting.cost(charge)) >= request.horizon();
  }
}
