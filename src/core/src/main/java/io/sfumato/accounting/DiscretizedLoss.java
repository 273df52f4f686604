// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Arrays;

/**
 * A dominating pair of one profile whose privacy loss takes whole multiples of a step: "connect the
 * dots" (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022). The profile as a function of e^epsilon
 * is convex; its chords between the grid's points lie above it and are the profile of a discrete
 * pair. So every composition of the pair is an upper bound, and a tight one: the error of one loss
 * is of second order in the step.
 */
final class DiscretizedLoss {
  /** The exponential of what is below it is 0. */
  private static final double NOTHING = -746;

  private final double step;
  private final int lowest;
  private final double[] masses;
  private final double[] lnMasses;

  /** That have a mass: of bounded losses next to none. */
  private final int[] places;

  private final double infinite;

  /** That was asked for last: whoever chooses a tilt asks for its moment again. */
  private Moment last;

  private record Moment(double theta, double ln) {}

  private DiscretizedLoss(double step, int lowest, double[] masses, double infinite) {
    this.step = step;
    this.lowest = lowest;
    this.masses = masses;
    this.lnMasses = new double[masses.length];
    int[] found = new int[masses.length];
    int number = 0;
    for (int i = 0; i < masses.length; i++) {
      if (masses[i] == 0) {
        lnMasses[i] = Double.NEGATIVE_INFINITY;
      } else {
        lnMasses[i] = StrictMath.log(masses[i]);
        found[number++] = i;
      }
    }
    this.places = Arrays.copyOf(found, number);
    this.infinite = infinite;
  }

  /**
   * @param step of the grid, in nats
   * @param reach losses beyond +-reach are rounded up: to infinity, and to -reach
   */
  static DiscretizedLoss of(PrivacyProfile profile, double step, double reach) {
    int ends = Math.max(1, (int) Math.ceil(reach / step));
    // Chords of h(alpha), alpha = e^loss. Below alpha = 1 of h(alpha) - (1 - alpha) =
    // alpha h(1/alpha), both directions being alike: the same kinks, and no cancellation.
    //
    // A mass is the difference of two slopes, each times alpha of its own upper end so that nothing
    // overflows: one times e^-step less the next. Their difference is taken first, since slopes may
    // be far larger than masses: then roundings add up to a few ulps of h, not of h over the step.
    double[] masses = new double[2 * ends + 1];
    double rise = -StrictMath.expm1(-step);
    double above = 0;
    double next = profile.delta(at(ends, step));
    double infinite = next;
    for (int i = ends; i >= 1; i--) {
      double here = profile.delta(at(i - 1, step));
      double slope = (next - here) / rise;
      masses[ends + i] = Math.max(0, above - slope - above * rise);
      above = slope;
      next = here;
    }
    // At alpha = 1 the two forms meet: d/dalpha of (1 - alpha) is -1.
    double meeting = 1;
    double below = above;
    double upper = next;
    for (int i = 0; i > -ends; i--) {
      double delta = profile.delta(at(1 - i, step));
      double here = delta == 0 ? 0 : StrictMath.exp((i - 1) * step) * delta;
      double slope = (upper - here) / rise;
      masses[ends + i] = Math.max(0, below - slope - below * rise + meeting);
      meeting = 0;
      below = slope;
      upper = here;
    }
    // Left of the grid one chord to alpha = 0, where alpha h(1/alpha) is 0: slope upper/alpha.
    masses[0] = Math.max(0, below - upper - below * rise);
    return new DiscretizedLoss(step, -ends, masses, infinite);
  }

  /** A place's loss, rounded down: profiles fall, so this is on the safe side. */
  private static double at(int place, double step) {
    return place == 0 ? 0 : Math.nextDown(place * step);
  }

  double step() {
    return step;
  }

  /** Probability of an infinite loss. */
  double infinite() {
    return infinite;
  }

  int size() {
    return masses.length;
  }

  /** The loss at a place, as a multiple of the step. */
  int at(int place) {
    return lowest + place;
  }

  double mass(int place) {
    return masses[place];
  }

  /** Logarithm of the probability of a place; -infinity for 0. */
  double lnMass(int place) {
    return lnMasses[place];
  }

  /** Probability of a finite loss. */
  double finite() {
    double sum = 0;
    for (double mass : masses) {
      sum += mass;
    }
    return sum;
  }

  /** ln E e^(theta loss) over the finite losses. */
  double lnMoment(double theta) {
    Moment known = last;
    if (known == null || known.theta != theta) {
      known = new Moment(theta, lnMomentAt(theta));
      last = known;
    }
    return known.ln;
  }

  private double lnMomentAt(double theta) {
    double[] exponents = new double[places.length];
    double largest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < exponents.length; k++) {
      int i = places[k];
      double exponent = lnMasses[i] + theta * (lowest + i) * step;
      exponents[k] = exponent;
      largest = Math.max(largest, exponent);
    }
    double sum = 0;
    for (double exponent : exponents) {
      double below = exponent - largest;
      // Written so that what is no number stays none.
      if (!(below <= NOTHING)) {
        sum += StrictMath.exp(below);
      }
    }
    return exponents.length == 0 ? Double.NaN : largest + StrictMath.log(sum);
  }
}
