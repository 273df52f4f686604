// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.running.ErrorBars;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.running.RunningPlanner;
import java.util.Optional;

/**
 * Parts that are summed over windows: Theorems I and K of docs/privacy.md. Each window draws a row
 * of every part, on the grid 2^-40, since parts and coefficients both lie on 2^-20.
 */
public final class RunningMoments {
  /** The 97.5% quantile of a normal law, rounded down. */
  private static final double NORMAL = 1.95;

  private final RunningMechanism rows;
  private final MomentSensitivity window;
  private final ErrorBars bars;

  /**
   * @param rows what is drawn of each window
   * @param window how far one window's own parts are moved
   */
  public RunningMoments(RunningMechanism rows, MomentSensitivity window) {
    if (rows.digits() != GridNoise.DIGITS
        || window.firstPart() > 0
        || !(rows.noise() instanceof GridGaussian)) {
      throw new IllegalArgumentException(
          "rows are of all parts, in steps of 2^-20, with Gaussian noise");
    }
    this.rows = rows;
    this.window = window;
    this.bars = new ErrorBars(rows);
  }

  /**
   * The least noise that a share affords; nothing if even sigma 2^16 records is too little.
   *
   * @param request its horizon is how many windows of a user, or a subject, count at most
   * @param window how far neighbours move one window's own parts
   */
  public static Optional<Planned<RunningMechanism>> gaussian(
      ShareRequest request, MomentSensitivity window, Lags lags) {
    return RunningPlanner.gaussian(request, window.moved(), lags, GridNoise.DIGITS);
  }

  /**
   * One draw that would have as much noise as the sum of the last windows has: what is told is the
   * truth with independent Gaussian noise on each part, so that all that one draw says can be said
   * of it. What windows are rounded by, to a step of 2^-20 each, is contained in the deviation.
   *
   * @param windows n that there are so far, at least 1
   * @param last how many are summed up, at least 1; all if there are fewer
   */
  public MomentMechanism asOneDraw(long windows, long last) {
    long summed = Math.min(windows, last);
    double sigma =
        Math.scalb(rows.noise().deviation(), -Lags.DIGITS) * bars.weight(windows, summed);
    // Weights w of parts move by at most |w|_1 steps a window, of |w|_1 <= sqrt(parts) |w|_2.
    double rounding = summed * Math.sqrt(window.fields() * (window.degree() + 1.0)) / NORMAL;
    double steps = Math.max(GridGaussian.LEAST, Math.ceil(sigma + rounding));
    return new MomentMechanism(new GridGaussian(GridNoise.DIGITS, (long) steps), window);
  }
}
