// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import java.util.List;

/** The law of the sum of all losses, under one tilt. */
final class ComposedLoss {
  private final List<Part> parts;
  private final ComponentLosses coarse;
  private final ConvolutionRange window;
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

  ComposedLoss(
      List<Part> parts,
      Precision precision,
      double[] reaches,
      ComponentLosses coarse,
      double theta) {
    this.parts = parts;
    this.coarse = coarse;
    this.theta = theta;
    this.window = ConvolutionRange.of(parts, reaches, coarse, theta, precision);
    this.step = window.step();
    this.lowest = window.lowest();
    FourierConvolution transform = new FourierConvolution(window.size());
    double lnM = 0;
    double lnMagnitude = 0;
    double count = 0;
    for (int i = 0; i < reaches.length; i++) {
      Part part = parts.get(i);
      DiscretizedLoss grid = window.grids().at(i);
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
   *
   * <p>The bound is above it at the place before the crossing, where its error is larger: under a
   * steep tilt, as bounded losses have it, far larger.
   */
  double lowerEpsilon(double delta) {
    for (double extra = 1e-3; extra <= 1; extra *= 10) {
      double higher = delta * (1.001 + extra);
      double lower = crossing(higher);
      double excess = 2 * errorAbove(lower - step) + 3 * slack * higher;
      boolean crosses = lower > loss(1); // or the bound holds at all places
      if (window.isWide() && crosses && excess <= 0.9 * extra * delta) {
        return Math.max(0, lower - rounding(delta / 1000));
      }
    }
    return 0;
  }

  /**
   * How much the rounded sum may exceed the true one, but for a probability of {@code failure}:
   * each loss moves to a neighbour of the grid, upwards by at most step^2/8 in the mean, within an
   * interval of one step.
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
