// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Arrays;
import java.util.List;

/**
 * The privacy of a FIXED number of releases, by their privacy-loss distributions. The sum of the
 * losses is found by fast Fourier transform (Koskela, Jaelkoe, Honkela 2020), under an exponential
 * tilt that puts the wanted tail in the middle: so the transform's error is relative to the tail,
 * not to 1, and is bounded here. Every approximation is on the safe side.
 *
 * <p>For a fixed schedule only: how many releases follow must not depend on what was released.
 */
public final class Composition {
  /** Part of delta that may go to losses beyond the grid of single releases. */
  private static final double BEYOND = 1e-6;

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

    /** Steps in the reach of one release, at least. */
    int single() {
      return single;
    }

    /** Places of the sum's transform. */
    int sum() {
      return sum;
    }
  }

  /**
   * An upper bound, and how far above the truth it may lie.
   *
   * @param value that holds
   * @param width value - width is a lower bound of the best value, for the profiles as they are
   *     given
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
    PartGrids coarse = coarse(reaches);
    double theta = Tilt.minimum(t -> coarse.lnMoment(t) - t * epsilon, steepest(reaches));
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
    PartGrids coarse = coarse(reaches);
    double theta =
        Tilt.minimum(t -> (coarse.lnMoment(t) - StrictMath.log(delta)) / t, steepest(reaches));
    Sum sum = new Sum(reaches, coarse, theta);
    double epsilon = sum.epsilon(delta);
    return new Bound(epsilon, epsilon - sum.lowerEpsilon(delta));
  }

  /**
   * The largest tilt with which neighbours on the finest grid can still be told apart. A bounded
   * loss would like an infinite one.
   */
  private double steepest(double[] reaches) {
    double widest = Arrays.stream(reaches).max().orElseThrow();
    return Math.min(Tilt.STEEPEST, LN_STEEPEST_STEP * precision.single / widest);
  }

  /** A first look at each part: it chooses, but claims nothing of the sum's own grids. */
  private PartGrids coarse(double[] reaches) {
    return PartGrids.of(parts, reaches, i -> reaches[i] / COARSE);
  }

  /** For each part the loss beyond which lies only a small part of delta. */
  private double[] reaches(double delta) {
    return parts.stream().mapToDouble(part -> reach(part, delta)).toArray();
  }

  private double reach(Part part, double delta) {
    double allowed = Math.max(Double.MIN_VALUE, BEYOND * delta / part.count() / parts.size());
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

  /** The law of the sum of all losses, under one tilt. */
  private final class Sum {
    private final PartGrids coarse;
    private final Window window;
    private final double theta;
    private final double lnMoment;
    private final double step;
    private final long lowest;
    private final double[] tilted;

    /** Bounds the error of any sum of tilted probabilities: transform, and what wraps around. */
    private final double error;

    /** Bounds the error of what tilted probabilities are turned back into, relative to it. */
    private final double slack;

    /** The slack as a factor. */
    private final double up;

    /** Bounds the probability of sums beyond the window, and of infinite ones. */
    private final double outside;

    Sum(double[] reaches, PartGrids coarse, double theta) {
      this.coarse = coarse;
      this.theta = theta;
      this.window = Window.of(parts, reaches, coarse, theta, precision);
      this.step = window.step();
      this.lowest = window.lowest();
      Transform transform = new Transform(window.size());
      double lnM = 0;
      double lnMagnitude = 0;
      double count = 0;
      for (int i = 0; i < reaches.length; i++) {
        Part part = parts.get(i);
        LossGrid grid = window.grids().at(i);
        double ln = grid.lnMoment(theta);
        transform.multiply(grid, theta, ln, part.count());
        lnM += part.count() * ln;
        lnMagnitude += part.count() * Math.abs(ln);
        count += part.count();
      }
      this.lnMoment = lnM;
      this.tilted = transform.inverse(Math.floorMod(lowest, (long) window.size()));
      this.error = transform.error() + StrictMath.exp(Math.min(0, window.lnBelow()));
      // An exponent below 745 in magnitude, and the two that it is the difference of, of which that
      // of the moments is itself a sum; a sum over all places; and the few roundings by which each
      // release's grid may lie below its chords.
      double farthest = Math.max(Math.abs(loss(0)), Math.abs(loss(tilted.length - 1)));
      this.slack =
          1e-11
              + 0x1.0p-50 * (parts.size() * lnMagnitude + theta * farthest)
              + 0x1.0p-52 * tilted.length
              + 0x1.0p-49 * count;
      this.up = StrictMath.exp(slack);
      this.outside = StrictMath.exp(Math.min(0, window.lnAbove())) + window.grids().infinite();
    }

    /** Error of the tail above a loss, in untilted probability. */
    private double errorAbove(double loss) {
      return error * StrictMath.exp(Math.min(700, lnMoment - theta * loss)) * up + outside;
    }

    private double loss(int place) {
      return (lowest + place) * step;
    }

    /** Without what the transform made negative: the truth is not, so this is nearer to it. */
    private double probability(int place) {
      double mass = tilted[place];
      return mass <= 0
          ? 0
          : StrictMath.exp(StrictMath.log(mass) + lnMoment - theta * loss(place)) * up;
    }

    double delta(double epsilon) {
      // Losses have roundings of their own.
      double from = epsilon * (1 - 0x1.0p-50);
      double sum = 0;
      for (int i = tilted.length - 1; i >= 0 && loss(i) > from; i--) {
        sum += probability(i) * -StrictMath.expm1(from - loss(i));
      }
      double delta = sum + errorAbove(from) + tilted.length * Double.MIN_VALUE;
      // Written so that what is no number is no proof.
      double bound = delta <= 1 ? delta : 1;
      return window.isWide() ? bound : Math.min(bound, chernoff(from));
    }

    /** What the first look alone proves: it holds at any count, but is loose. */
    private double chernoff(double epsilon) {
      double ln = coarse.lnTail(theta, epsilon);
      return StrictMath.exp(Math.min(0, ln)) * (1 + 1e-12) + coarse.infinite();
    }

    /** The least epsilon of the grid's chords at which delta holds. */
    double epsilon(double delta) {
      double found = crossing(delta);
      // The sums on the way here have roundings of their own: what is returned is tested.
      double further = Math.max(found * 1e-12, step * 1e-9);
      while (!(delta(found) <= delta)) {
        found += further;
        further *= 2;
        if (found > 1e300) {
          throw new IllegalArgumentException("no epsilon holds at a delta of " + delta);
        }
      }
      return found;
    }

    private double crossing(double delta) {
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
     * An epsilon at which delta does not hold, or 0. Where the bound of delta is above 1.001 delta
     * plus all that it may exceed the exact composition of the grids by, that is above 1.001 delta;
     * and at most the true delta of an epsilon that is less by the rounding, plus delta / 1000.
     */
    double lowerEpsilon(double delta) {
      for (double extra = 1e-3; extra <= 1; extra *= 10) {
        double higher = delta * (1.001 + extra);
        double lower = crossing(higher);
        double excess = 2 * errorAbove(lower) + 3 * slack * higher;
        if (window.isWide() && excess <= 0.9 * extra * delta) {
          return Math.max(0, lower - rounding(delta / 1000));
        }
      }
      return 0;
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
