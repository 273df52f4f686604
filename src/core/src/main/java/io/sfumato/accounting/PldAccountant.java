// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;

/**
 * The privacy of a FIXED number of releases, by their privacy-loss distributions. The sum of the
 * losses is found by fast Fourier transform (Koskela, Jaelkoe, Honkela 2020), under an exponential
 * tilt that puts the wanted tail in the middle: so the transform's error is relative to the tail,
 * not to 1, and is bounded here. Every approximation is on the safe side.
 *
 * <p>For a fixed schedule only: how many releases follow must not depend on what was released.
 */
public final class PldAccountant {
  /** Part of delta that may go to losses beyond the grid of single releases. */
  private static final double BEYOND = 1e-6;

  /** The tilt may change a probability by e^20 from one place of the grid to the next. */
  private static final double LN_STEEPEST_STEP = 20;

  /** In nats: nobody asks for less. */
  private static final double LEAST_REACH = 1e-9;

  /** Steps of a first, coarse look at each release's loss. */
  private static final int COARSE = 256;

  private final List<Part> parts;
  private final Precision precision;

  private PldAccountant(List<Part> parts, Precision precision) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a composition has at least one part");
    }
    this.parts = List.copyOf(parts);
    this.precision = precision;
  }

  /**
   * Releases with the same profile, {@code count} of them, at least 1.
   *
   * @param profile of one release
   * @param count at least 1
   */
  public record Part(PrivacyProfile profile, long count) {
    /**
     * @throws IllegalArgumentException if the count is below 1
     */
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

  /** Releases of all parts together, at least one. */
  public static PldAccountant of(List<Part> parts, Precision precision) {
    return new PldAccountant(parts, precision);
  }

  /**
   * {@code count} releases with one profile.
   *
   * @param count at least 1
   */
  public static PldAccountant of(PrivacyProfile profile, long count, Precision precision) {
    return new PldAccountant(List.of(new Part(profile, count)), precision);
  }

  /**
   * The delta that holds at an epsilon, at least 0.
   *
   * @param epsilon in nats, at least 0
   * @param floor of interest: deltas far below it are reported as about 1e-6 of it, which costs
   *     less; above 0
   * @throws IllegalArgumentException if epsilon or the floor is out of range
   */
  public double delta(double epsilon, double floor) {
    if (!(epsilon >= 0) || !(floor > 0)) {
      throw new IllegalArgumentException("epsilon must be at least 0 and the floor above 0");
    }
    double[] reaches = reaches(floor);
    ComponentLosses coarse = coarse(reaches);
    double theta =
        ExponentialTilt.minimum(t -> coarse.lnMoment(t) - t * epsilon, steepest(reaches));
    return new ComposedLoss(parts, precision, reaches, coarse, theta).delta(epsilon);
  }

  /**
   * The epsilon that holds at a delta in (0, 1), and its width: the width of the rounding of the
   * losses, with an allowance of delta / 1000 for its tail (Hoeffding's inequality).
   *
   * @param delta in (0, 1)
   * @return in nats
   * @throws IllegalArgumentException if delta is out of range
   */
  public Bound epsilon(double delta) {
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be in (0, 1), was " + delta);
    }
    double[] reaches = reaches(delta);
    ComponentLosses coarse = coarse(reaches);
    double theta =
        ExponentialTilt.minimum(
            t -> (coarse.lnMoment(t) - StrictMath.log(delta)) / t, steepest(reaches));
    ComposedLoss sum = new ComposedLoss(parts, precision, reaches, coarse, theta);
    double epsilon = sum.epsilon(delta);
    return new Bound(epsilon, epsilon - sum.lowerEpsilon(delta));
  }

  /**
   * The largest tilt with which neighbours on the finest grid can still be told apart. A bounded
   * loss would like an infinite one.
   */
  private double steepest(double[] reaches) {
    double widest = Arrays.stream(reaches).max().orElseThrow();
    return Math.min(ExponentialTilt.STEEPEST, LN_STEEPEST_STEP * precision.single / widest);
  }

  /** A first look at each part: it chooses, but claims nothing of the sum's own grids. */
  private ComponentLosses coarse(double[] reaches) {
    return ComponentLosses.of(parts, reaches, i -> reaches[i] / COARSE);
  }

  /** For each part the loss beyond which lies only a small part of delta. */
  private double[] reaches(double delta) {
    return parts.stream().mapToDouble(part -> reach(part, delta)).toArray();
  }

  private double reach(Part part, double delta) {
    double allowed = Math.max(Double.MIN_VALUE, BEYOND * delta / part.count() / parts.size());
    DoublePredicate tooMuch = epsilon -> part.profile().delta(epsilon) > allowed;
    if (!tooMuch.test(LEAST_REACH)) {
      return LEAST_REACH; // it loses next to nothing, and grids have a width
    }
    return Bisection.doubling(LEAST_REACH, 1e6, tooMuch)
        .orElseThrow(
            () -> new IllegalArgumentException("the profile does not fall to 0: no epsilon helps"))
        .narrowed(1e-3, tooMuch)
        .high();
  }
}
