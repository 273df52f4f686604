package io.sfumato.mechanism.baseline;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Composition.Precision;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.ComposedBudget;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.PlanningModel;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.SimulatedError;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;

/** The least noise that a share affords: one number, so nothing else is to choose. */
public final class BaselinePlanner {
  private static final long LARGEST_VARIANCE = 1L << 44;

  /** Scales are steps of 2^-10, rates (their inverses) of 2^-20. */
  private static final long LARGEST_RATE = 1L << 30;

  private BaselinePlanner() {}

  /** Discrete Gaussian noise; nothing if even sigma 2^17 is too little. */
  public static Optional<ReleasePlan> gaussian(
      ShareRequest request,
      Accountant accountant,
      PostProcessing postProcessing,
      PlanningModel model) {
    return plan(
        request,
        accountant,
        model,
        LARGEST_VARIANCE,
        GaussianMechanism::charge,
        steps -> new GaussianMechanism(steps, postProcessing));
  }

  /** Discrete Laplace noise; nothing if even scale 2^20 is too little. */
  public static Optional<ReleasePlan> laplace(
      ShareRequest request, Accountant accountant, PlanningModel model) {
    return plan(
        request,
        accountant,
        model,
        LARGEST_RATE,
        scale -> LaplaceMechanism.charge(LARGEST_RATE / scale),
        scale -> new LaplaceMechanism(LARGEST_RATE / scale));
  }

  /**
   * @param most largest noise, in steps from 1
   */
  private static Optional<ReleasePlan> plan(
      ShareRequest request,
      Accountant accountant,
      PlanningModel model,
      long most,
      LongFunction<Charge> charge,
      LongFunction<HistogramMechanism> mechanism) {
    Optional<Counting> counting;
    long noise;
    switch (accountant) {
      case EXACT -> {
        ComposedBudget budget = ComposedBudget.of(request);
        // Both bounds hold for a fixed number; over millions of releases the grid's is the looser.
        LongPredicate renyi = steps -> order(request, charge.apply(steps)).isPresent();
        noise =
            Math.min(
                smallest(renyi, renyi, most),
                smallest(
                    steps -> covers(budget, charge.apply(steps), Precision.COARSE),
                    steps -> covers(budget, charge.apply(steps), Precision.FINE),
                    most));
        counting =
            noise > most
                ? Optional.empty()
                : Optional.of(
                    new Counting.AtMost(charge.apply(noise).mechanism(), request.horizon()));
      }
      case RENYI -> {
        LongPredicate fits = steps -> order(request, charge.apply(steps)).isPresent();
        noise = smallest(fits, fits, most);
        counting = noise > most ? Optional.empty() : order(request, charge.apply(noise));
      }
      default ->
          throw new IllegalArgumentException("the paper has no bound of its own for baselines");
    }
    return counting.map(
        found -> {
          HistogramMechanism made = mechanism.apply(noise);
          Share share = new Share(request.name(), request.epsilon(), request.delta(), found);
          return new ReleasePlan(share, made, SimulatedError.expectedKl(made, model));
        });
  }

  private static boolean covers(ComposedBudget budget, Charge charge, Precision precision) {
    return budget.covers(charge.profile().orElseThrow(), precision);
  }

  /** The first order at which so many releases fit. */
  private static Optional<Counting> order(ShareRequest request, Charge charge) {
    for (int i = 0; i < RenyiOrders.size(); i++) {
      Counting.AtOrder counting =
          Counting.AtOrder.of(request.epsilon(), request.delta(), RenyiOrders.at(i));
      if (counting.cap() / Math.max(1, counting.cost(charge)) >= request.horizon()) {
        return Optional.of(counting);
      }
    }
    return Optional.empty();
  }

  /** The smallest noise that passes the fine test; more than {@code most} if none does. */
  private static long smallest(LongPredicate coarse, LongPredicate fine, long most) {
    long found = bisect(coarse, 0, most + 1);
    return bisect(fine, (long) (found * 0.98), Math.min(most + 1, found + found / 64 + 1));
  }

  /** Smallest in (low, high] that passes, where high stands for "none before". */
  private static long bisect(LongPredicate passes, long low, long high) {
    long fails = low;
    long fits = high;
    while (fits - fails > 1 + (fits >>> 20)) {
      // Geometric while far apart: the answer may be of any magnitude.
      long middle =
          fits / 4 > fails
              ? Math.max(fails + 1, (long) Math.sqrt((double) Math.max(1, fails) * fits))
              : (fails + fits) >>> 1;
      if (passes.test(middle)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return fits;
  }
}
