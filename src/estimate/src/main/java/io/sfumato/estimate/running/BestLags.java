// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.running;

import io.sfumato.estimate.factorised.BestBand;
import io.sfumato.estimate.factorised.RootEstimate;
import io.sfumato.mechanism.factorised.ToeplitzRoot;
import io.sfumato.mechanism.running.FadingLags;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RootLags;
import io.sfumato.mechanism.running.RunningError;
import io.sfumato.mechanism.running.RunningVariance;
import java.util.Comparator;

/** Which coefficients have the least error, for users who count in a number of windows. */
public final class BestLags {
  /** Sums without an end are looked at after so many times a user's windows. */
  private static final int TIMES = 10;

  /** So many windows are tried exactly. */
  private static final int EXACT = 1024;

  private BestLags() {}

  /**
   * The coefficients; of band 1, which makes independent sums, where nothing is better.
   *
   * @param windows W, how many windows of a user count at most, at least 1
   */
  public static Lags of(Extent extent, long windows) {
    if (windows > Lags.MOST_WINDOWS) {
      return new RootLags(1);
    }
    int most = (int) windows;
    if (extent instanceof Extent.Until until) {
      return best(Math.min(until.windows(), RootLags.LONGEST), most, band -> rows(until, band));
    }
    if (extent instanceof Extent.Last last) {
      return best(2 * last.windows(), most, band -> lastRow(last, band));
    }
    return foreverBetter(most) ? FadingLags.FADING : new RootLags(1);
  }

  /** Over ten times as many windows as a user may count in, and at least 1,024. */
  private static boolean foreverBetter(int most) {
    int windows = Math.max(EXACT, TIMES * most);
    double rows = new RunningError(FadingLags.FADING).ofAll(windows);
    return rows * rows * FadingLags.FADING.squaredNorm(most).doubleValue()
        <= (double) windows * most * Lags.ONE * Lags.ONE;
  }

  /** The squared norm of B's rows, on average. */
  private interface Spread {
    double of(int band);
  }

  private static Lags best(int longest, int most, Spread spread) {
    return BestBand.tried(longest)
        .boxed()
        .min(Comparator.comparingDouble(b -> spread.of(b) * norm(b, most)))
        .map(RootLags::new)
        .orElseThrow();
  }

  /** f(W). */
  private static double norm(int band, int most) {
    Lags lags = new RootLags(band);
    double row = 0;
    double sum = 0;
    for (int i = 0; i < band + most - 1; i++) {
      row += lags.at(i) - (i < most ? 0 : lags.at(i - most));
      sum += row * row;
    }
    return sum;
  }

  private static double rows(Extent.Until until, int band) {
    if (until.windows() <= EXACT) {
      double rms = new RootEstimate(ToeplitzRoot.banded(until.windows(), band)).rootMeanSquare();
      return rms * rms;
    }
    // As the root's up to the band, and then by as much as a stationary sum.
    long[] c = ToeplitzRoot.coefficients(band, band);
    double norm = 0;
    double sum = 0;
    double squares = 0;
    for (long step : c) {
      double value = step / (double) Lags.ONE;
      squares += value * value;
      norm += squares;
      sum += value;
    }
    double later = until.windows() - band;
    return (norm + later * squares + later * (later + 1) / 2 / (sum * sum)) / until.windows();
  }

  private static double lastRow(Extent.Last last, int band) {
    int windows = 4 * (last.windows() + band);
    return new RunningVariance(new RootLags(band)).of(windows, last.windows());
  }
}
