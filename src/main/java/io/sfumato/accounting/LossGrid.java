package io.sfumato.accounting;

import java.util.Arrays;

/**
 * A dominating pair of one profile whose privacy loss takes whole multiples of a step: "connect the
 * dots" (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022). The profile as a function of e^epsilon
 * is convex; its chords between the grid's points lie above it and are the profile of a discrete
 * pair. So every composition of the pair is an upper bound, and a tight one: the error of one loss
 * is of second order in the step.
 */
final class LossGrid {
  private final double step;
  private final int lowest;
  private final double[] masses;
  private final double[] lnMasses;
  private final double infinite;

  private LossGrid(double step, int lowest, double[] masses, double infinite) {
    this.step = step;
    this.lowest = lowest;
    this.masses = masses;
    this.lnMasses = Arrays.stream(masses).map(StrictMath::log).toArray();
    this.infinite = infinite;
  }

  /**
   * @param step of the grid, in nats
   * @param reach losses beyond +-reach are rounded up: to infinity, and to -reach
   */
  static LossGrid of(PrivacyProfile profile, double step, double reach) {
    int ends = Math.max(1, (int) Math.ceil(reach / step));
    // Chords of h(alpha), alpha = e^loss. Below alpha = 1 of h(alpha) - (1 - alpha) =
    // alpha h(1/alpha), both directions being alike: the same kinks, and no cancellation.
    double[] masses = new double[2 * ends + 1];
    double rise = -StrictMath.expm1(-step);
    double shrink = StrictMath.exp(-step);
    double above = 0;
    double next = profile.delta(ends * step);
    double infinite = next;
    for (int i = ends; i >= 1; i--) {
      double here = profile.delta((i - 1) * step);
      // Slope times alpha of the upper end, so that nothing overflows.
      double slope = (next - here) / rise;
      masses[ends + i] = Math.max(0, above - slope);
      above = slope * shrink;
      next = here;
    }
    // At alpha = 1 the two forms meet: d/dalpha of (1 - alpha) is -1.
    double below = above + 1;
    double upper = next;
    for (int i = 0; i > -ends; i--) {
      double alpha = StrictMath.exp((i - 1) * step);
      double here = alpha * profile.delta((1 - i) * step);
      double slope = (upper - here) / rise;
      // "slope" and "below" are both times e^(i step).
      masses[ends + i] = Math.max(0, below - slope);
      below = slope * shrink;
      upper = here;
    }
    // Left of the grid one chord to alpha = 0, where alpha h(1/alpha) is 0: slope upper/alpha.
    masses[0] = Math.max(0, below - upper);
    return new LossGrid(step, -ends, masses, infinite);
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

  /** ln E e^(theta loss) over the finite losses. */
  double lnMoment(double theta) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < masses.length; i++) {
      largest = Math.max(largest, lnMasses[i] + theta * at(i) * step);
    }
    double sum = 0;
    for (int i = 0; i < masses.length; i++) {
      sum += StrictMath.exp(lnMasses[i] + theta * at(i) * step - largest);
    }
    return largest + StrictMath.log(sum);
  }
}
