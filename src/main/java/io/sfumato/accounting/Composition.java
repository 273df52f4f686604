package io.sfumato.accounting;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * The privacy of a FIXED number of releases, by their privacy-loss distributions. The sum of the
 * losses is found by fast Fourier transform (Koskela, Jaelkoe, Honkela 2020), under an exponential
 * tilt that puts the wanted tail in the middle: so the transform's error is relative to the tail,
 * not to 1, and is bounded here. Every approximation is on the safe side.
 *
 * <p>For a fixed schedule only: how many releases follow must not depend on what was released.
 */
public final class Composition {
  /** e^-50: what of the tilted sum may lie outside the transform's window. */
  private static final double LN_OUTSIDE = -50;

  /** Part of delta that may go to losses beyond the grid of single releases. */
  private static final double BEYOND = 1e-6;

  private static final double STEEPEST = 1e7;
  private static final double FLATTEST = 1e-6;

  /** The tilt may change a probability by e^20 from one place of the grid to the next. */
  private static final double LN_STEEPEST_STEP = 20;

  /** Steps of a first, coarse look at each release's loss. */
  private static final int COARSE = 256;

  private final List<Part> parts;
  private final Precision precision;

  private Composition(List<Part> parts, Precision precision) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a composition has at least one part");
    }
    this.parts = List.copyOf(parts);
    this.precision = precision;
  }

  /** Releases with the same profile, {@code count} of them, at least 1. */
  public record Part(PrivacyProfile profile, long count) {
    public Part {
      if (count < 1) {
        throw new IllegalArgumentException("a count is at least 1, was " + count);
      }
    }
  }

  /** How fine the grids are. */
  public enum Precision {
    /** For searches among thousands of parameters. */
    COARSE(1 << 11, 1 << 13),
    /** For what a plan rests on. */
    FINE(1 << 14, 1 << 17),
    /** For reports. */
    FINEST(1 << 15, 1 << 20);

    private final int single;
    private final int sum;

    Precision(int single, int sum) {
      this.single = single;
      this.sum = sum;
    }
  }

  /**
   * An upper bound, and how far above the truth it may lie.
   *
   * @param value that holds
   * @param width value - width is a lower bound of the best value
   */
  public record Bound(double value, double width) {}

  public static Composition of(List<Part> parts, Precision precision) {
    return new Composition(parts, precision);
  }

  /** {@code count} releases with one profile. */
  public static Composition of(PrivacyProfile profile, long count, Precision precision) {
    return new Composition(List.of(new Part(profile, count)), precision);
  }

  /**
   * The delta that holds at an epsilon, at least 0.
   *
   * @param floor of interest: deltas far below it are reported as about 1e-6 of it, which costs
   *     less; above 0
   */
  public double delta(double epsilon, double floor) {
    if (!(epsilon >= 0) || !(floor > 0)) {
      throw new IllegalArgumentException("epsilon must be at least 0 and the floor above 0");
    }
    double[] reaches = reaches(floor);
    LossGrid[] coarse = coarse(reaches);
    double theta = minimum(t -> lnMoment(coarse, t) - t * epsilon, steepest(reaches));
    return new Sum(reaches, coarse, theta).delta(epsilon);
  }

  /**
   * The epsilon that holds at a delta in (0, 1), and its width: the width of the rounding of the
   * losses, with an allowance of delta / 1000 for its tail (Hoeffding's inequality).
   */
  public Bound epsilon(double delta) {
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be in (0, 1), was " + delta);
    }
    double[] reaches = reaches(delta);
    LossGrid[] coarse = coarse(reaches);
    double theta =
        minimum(t -> (lnMoment(coarse, t) - StrictMath.log(delta)) / t, steepest(reaches));
    Sum sum = new Sum(reaches, coarse, theta);
    double epsilon = sum.epsilon(delta);
    double rounding = sum.rounding(delta / 1000);
    double lower = Math.max(0, sum.epsilon(delta * 1.002) - rounding);
    return new Bound(epsilon, epsilon - lower);
  }

  /**
   * The largest tilt with which neighbours on the finest grid can still be told apart. A bounded
   * loss would like an infinite one.
   */
  private double steepest(double[] reaches) {
    double widest = Arrays.stream(reaches).max().orElseThrow();
    return Math.min(STEEPEST, LN_STEEPEST_STEP * precision.single / widest);
  }

  /** A first look at each part. */
  private LossGrid[] coarse(double[] reaches) {
    LossGrid[] grids = new LossGrid[parts.size()];
    Arrays.setAll(grids, i -> LossGrid.of(parts.get(i).profile(), reaches[i] / COARSE, reaches[i]));
    return grids;
  }

  /** For each part the loss beyond which lies only a small part of delta. */
  private double[] reaches(double delta) {
    return parts.stream().mapToDouble(part -> reach(part, delta)).toArray();
  }

  private double reach(Part part, double delta) {
    double allowed = BEYOND * delta / part.count() / parts.size();
    double low = 0;
    double high = 1e-9;
    while (part.profile().delta(high) > allowed) {
      low = high;
      high *= 2;
      if (high > 1e6) {
        throw new IllegalArgumentException("the profile does not fall to 0: no epsilon helps");
      }
    }
    while (high - low > 1e-3 * high) {
      double middle = (low + high) / 2;
      if (part.profile().delta(middle) > allowed) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** ln E e^(theta sum). */
  private double lnMoment(LossGrid[] grids, double theta) {
    double sum = 0;
    for (int i = 0; i < grids.length; i++) {
      sum += parts.get(i).count() * grids[i].lnMoment(theta);
    }
    return sum;
  }

  /** Where a function with one valley is least; any point will do, a near one is better. */
  private static double minimum(UnivariateFunction function, double steepest) {
    double low = StrictMath.log(FLATTEST);
    double high = StrictMath.log(steepest);
    UnivariateFunction onLogarithm = ln -> function.value(StrictMath.exp(ln));
    double ln =
        new BrentOptimizer(1e-4, 1e-6)
            .optimize(
                new UnivariateObjectiveFunction(onLogarithm),
                GoalType.MINIMIZE,
                new MaxEval(200),
                new SearchInterval(low, high))
            .getPoint();
    return StrictMath.exp(ln);
  }

  /** The law of the sum of all losses, under one tilt. */
  private final class Sum {
    private final double theta;
    private final double lnMoment;
    private final double step;
    private final long lowest;
    private final double[] tilted;
    private final double infinite;

    /** Bounds the error of any sum of tilted probabilities: transform, and what wraps around. */
    private final double error;

    private final double lnWrapped;

    Sum(double[] reaches, LossGrid[] coarse, double theta) {
      this.theta = theta;
      // The window, from grids of moderate size.
      double base = lnMoment(coarse, theta);
      double top = edge(coarse, base, +1);
      double bottom = edge(coarse, base, -1);
      double widest = Arrays.stream(reaches).max().orElseThrow();
      this.step = Math.max(widest / precision.single, (top - bottom) / (precision.sum - 2));
      int size = Integer.highestOneBit((int) Math.ceil((top - bottom) / step) + 1) * 2;
      this.lowest = (long) Math.floor(bottom / step);
      Transform transform = new Transform(size);
      double lnM = 0;
      double lnFinite = 0;
      for (int i = 0; i < reaches.length; i++) {
        Part part = parts.get(i);
        LossGrid grid = LossGrid.of(part.profile(), step, reaches[i]);
        double ln = grid.lnMoment(theta);
        transform.multiply(grid, theta, ln, part.count());
        lnM += part.count() * ln;
        lnFinite += part.count() * StrictMath.log1p(-Math.min(grid.infinite(), 0.5));
      }
      this.lnMoment = lnM;
      this.tilted = transform.inverse(Math.floorMod(lowest, (long) size));
      this.infinite = -StrictMath.expm1(lnFinite) * (1 + 1e-12);
      this.error = transform.error();
      // The coarse pair dominates the fine one, so its moments and its tails bound the fine one's.
      this.lnWrapped = base - theta * top + LN_OUTSIDE + 1;
    }

    /** The nearest loss beyond which the tilted sum has at most e^-50 (Chernoff). */
    private double edge(LossGrid[] grids, double base, int sign) {
      UnivariateFunction bound = t -> (lnMoment(grids, theta + sign * t) - base - LN_OUTSIDE) / t;
      return sign * bound.value(minimum(bound, STEEPEST));
    }

    /** Error of the tail above a loss, in untilted probability. */
    private double errorAbove(double loss) {
      return error * StrictMath.exp(Math.min(700, lnMoment - theta * loss))
          + StrictMath.exp(Math.min(0, lnWrapped))
          + infinite;
    }

    private double loss(int place) {
      return (lowest + place) * step;
    }

    private double probability(int place) {
      double mass = Math.max(0, tilted[place]);
      return mass == 0
          ? 0
          : StrictMath.exp(StrictMath.log(mass) + lnMoment - theta * loss(place)) * (1 + 1e-11);
    }

    double delta(double epsilon) {
      double sum = 0;
      for (int i = tilted.length - 1; i >= 0 && loss(i) > epsilon; i--) {
        sum += probability(i) * -StrictMath.expm1(epsilon - loss(i));
      }
      return Math.min(1, sum + errorAbove(epsilon));
    }

    /** The least epsilon of the grid's chords at which delta holds. */
    double epsilon(double delta) {
      double above = 0;
      double scaled = 0; // sum of p e^-(loss - here): delta(here) = above - scaled
      double decay = StrictMath.exp(-step);
      for (int i = tilted.length - 1; i >= 1 && loss(i) > 0; i--) {
        double p = probability(i);
        above += p;
        scaled = scaled * decay + p;
        // delta at the next lower place
        double lower = loss(i - 1);
        double error = errorAbove(lower);
        // Written so that what is no number is no proof.
        if (!(above - scaled * decay + error <= delta)) {
          double epsilon = loss(i) + StrictMath.log((above + error - delta) / scaled);
          double found = epsilon > lower && epsilon < loss(i) ? epsilon : loss(i);
          return Math.max(0, found * (1 + 1e-12));
        }
      }
      // At the lowest place delta holds; what lies below it is outside the window.
      return Math.max(0, loss(0) * (1 + 1e-12));
    }

    /**
     * How much the rounded sum may exceed the true one, but for a probability of {@code failure}:
     * each loss moves to a neighbour of the grid, upwards by at most step^2/8 in the mean, within
     * an interval of one step.
     */
    double rounding(double failure) {
      double count = 0;
      for (Part part : parts) {
        count += part.count();
      }
      return count * step * step / 8 * (1 + step)
          + step * Math.sqrt(count * -StrictMath.log(failure) / 2);
    }
  }
}
