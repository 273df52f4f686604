// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.analysis.UnivariateFunction;

/**
 * The range of sums that a transform covers, in steps, and the grids of single releases at this
 * step. The range is chosen by a look at other, coarse grids; what lies outside of it is bounded
 * (Chernoff) by the grids whose law is composed, since those of another step bound nothing here.
 */
final class ConvolutionRange {
  /** e^-50: what of the tilted sum shall lie beyond either end, by the look. */
  private static final double LN_OUTSIDE = -50;

  /** e^-25: what may lie there by the grids themselves; if it is more, another range is chosen. */
  private static final double LN_ENOUGH = -25;

  /** e^-45: what smaller steps shall bring it to, so that grids are again nearly as fine. */
  private static final double LN_ANEW = -45;

  /** Places of the largest transform. */
  private static final int LARGEST = 1 << 20;

  /** By which part of itself a range is extended at either end. */
  private static final double MARGIN = 1.0 / 64;

  /** How often ends are chosen anew once the transform is the largest. */
  private static final int LOOKS = 4;

  private final double step;
  private final long lowest;
  private final int size;
  private final ComponentLosses grids;
  private final double lnAbove;
  private final double lnBelow;

  /** Of the tilted law, beyond the worse end. */
  private final double lnOutside;

  /**
   * What grids say of where the tilted sum lies.
   *
   * @param rising the tilt beyond theta that bounds the upper end
   * @param falling the tilt that bounds the lower one
   */
  private record Range(double rising, double falling, double highest, double least) {
    static Range of(ComponentLosses look, double theta) {
      double base = look.lnMoment(theta);
      double rising = steepness(look, theta, base, +1);
      double falling = steepness(look, theta, base, -1);
      return new Range(
          rising,
          falling,
          bound(look, theta, base, +1).value(rising),
          -bound(look, theta, base, -1).value(falling));
    }
  }

  private ConvolutionRange(
      List<Part> parts,
      double[] reaches,
      Range range,
      double theta,
      double margin,
      int single,
      int places) {
    double top = range.highest + margin * (range.highest - range.least);
    double bottom = range.least - margin * (range.highest - range.least);
    double widest = Arrays.stream(reaches).max().orElseThrow();
    this.step = Math.max(widest / single, (top - bottom) / (places - 2));
    this.size = Math.max(4, Integer.highestOneBit((int) Math.ceil((top - bottom) / step) + 1) * 2);
    this.lowest = (long) Math.floor(bottom / step);
    this.grids = ComponentLosses.of(parts, reaches, i -> step);
    double first = lowest * step;
    double beyond = (lowest + size) * step;
    this.lnAbove = grids.lnTail(theta + range.rising, beyond);
    double lnMoment = grids.lnMoment(theta);
    this.lnBelow =
        grids.lnTail(theta - range.falling, first)
            - lnMoment
            + theta * first
            + grids.lnMomentError(theta)
            + 0x1.0p-50 * Math.abs(theta * first);
    this.lnOutside = Math.max(lnAbove - lnMoment + theta * beyond, lnBelow);
  }

  /**
   * The range by a look; where it turns out too narrow by its own grids, a little more of it, which
   * helps where losses are bounded and the sum has mass at its very ends; then smaller steps, which
   * help where the own grids are far coarser than the look's; and at last a look at the own grids.
   */
  static ConvolutionRange of(
      List<Part> parts, double[] reaches, ComponentLosses look, double theta, Precision precision) {
    int single = precision.single();
    int places = precision.sum();
    Range range = Range.of(look, theta);
    ConvolutionRange window = new ConvolutionRange(parts, reaches, range, theta, 0, single, places);
    if (!window.isWide() && window.step <= look.largestStep()) {
      window = new ConvolutionRange(parts, reaches, range, theta, MARGIN, single, places);
    }
    double enough = window.isWide() ? LN_ENOUGH : LN_ANEW;
    while (!(window.lnOutside <= enough) && places < LARGEST) {
      places = Math.min(LARGEST, 4 * places);
      window = new ConvolutionRange(parts, reaches, range, theta, MARGIN, single, places);
    }
    for (int i = 0; i < LOOKS && !window.isWide(); i++) {
      window =
          new ConvolutionRange(
              parts, reaches, Range.of(window.grids, theta), theta, MARGIN, single, places);
    }
    return window;
  }

  /** The tilt beyond theta, towards an end, that brings the end nearest. */
  private static double steepness(ComponentLosses look, double theta, double base, int sign) {
    return ExponentialTilt.minimum(bound(look, theta, base, sign), ExponentialTilt.STEEPEST);
  }

  /** By the tilt beyond theta: a loss beyond which the tilted sum has at most e^-50 (Chernoff). */
  private static UnivariateFunction bound(
      ComponentLosses look, double theta, double base, int sign) {
    return t -> (look.lnMoment(theta + sign * t) - base - LN_OUTSIDE) / t;
  }

  double step() {
    return step;
  }

  /** The first place, as a multiple of the step. */
  long lowest() {
    return lowest;
  }

  /** Number of places, a power of two. */
  int size() {
    return size;
  }

  /** The grids of the parts, at this step. */
  ComponentLosses grids() {
    return grids;
  }

  /** ln P[sum beyond the last place], without the tilt: an upper bound. */
  double lnAbove() {
    return lnAbove;
  }

  /** ln of the tilted probability of sums before the first place: an upper bound. */
  double lnBelow() {
    return lnBelow;
  }

  /** Whether so little lies outside that it does not count. */
  boolean isWide() {
    return lnOutside <= LN_ENOUGH;
  }
}
