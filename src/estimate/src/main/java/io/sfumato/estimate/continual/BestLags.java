// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.continual;

import io.sfumato.estimate.matrix.BestBand;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.DecayingCoefficients;
import io.sfumato.mechanism.continual.RunningError;
import io.sfumato.mechanism.continual.RunningVariance;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
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
  public static Coefficients of(Horizon horizon, long windows) {
    if (windows > Coefficients.MOST_WINDOWS) {
      return new SquareRootCoefficients(1);
    }
    int most = (int) windows;
    if (horizon instanceof Horizon.Until until) {
      return best(
          Math.min(until.windows(), SquareRootCoefficients.LONGEST),
          most,
          band -> rows(until, band));
    }
    if (horizon instanceof Horizon.Last last) {
      return best(2 * last.windows(), most, band -> lastRow(last, band));
    }
    return foreverBetter(most) ? DecayingCoefficients.FADING : new SquareRootCoefficients(1);
  }

  /** Over ten times as many windows as a user may count in, and at least 1,024. */
  private static boolean foreverBetter(int most) {
    int windows = Math.max(EXACT, TIMES * most);
    double rows = new RunningError(DecayingCoefficients.FADING).ofAll(windows);
    return rows * rows * DecayingCoefficients.FADING.squaredNorm(most).doubleValue()
        <= (double) windows * most * Coefficients.ONE * Coefficients.ONE;
  }

  /** The squared norm of B's rows, on average. */
  private interface Spread {
    double of(int band);
  }

  private static Coefficients best(int longest, int most, Spread spread) {
    return BestBand.tried(longest)
        .boxed()
        .min(Comparator.comparingDouble(b -> spread.of(b) * norm(b, most)))
        .map(SquareRootCoefficients::new)
        .orElseThrow();
  }

  /** f(W). */
  private static double norm(int band, int most) {
    Coefficients lags = new SquareRootCoefficients(band);
    double row = 0;
    double sum = 0;
    for (int i = 0; i < band + most - 1; i++) {
      row += lags.at(i) - (i < most ? 0 : lags.at(i - most));
      sum += row * row;
    }
    return sum;
  }

  private static double rows(Horizon.Until until, int band) {
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
      double value = step / (double) Coefficients.ONE;
      squares += value * value;
      norm += squares;
      sum += value;
    }
    double later = until.windows() - band;
    return (norm + later * squares + later * (later + 1) / 2 / (sum * sum)) / until.windows();
  }

  private static double lastRow(Horizon.Last last, int band) {
    int windows = 4 * (last.windows() + band);
    return new RunningVariance(new SquareRootCoefficients(band)).of(windows, last.windows());
  }
}
