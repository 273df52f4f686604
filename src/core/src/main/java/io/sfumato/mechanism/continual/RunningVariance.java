// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import java.util.Arrays;

/**
 * How noise spreads in sums of windows, if each row has noise of variance 1: squared norms of rows
 * of B = A C^-1, C as the bins make it. The vector r of how much each row's noise is in a sum is
 * found from the last window back: r C is 1 for the windows that are summed up and 0 for others.
 */
public final class RunningVariance {
  private final Coefficients coefficients;

  /** Of rows with these lags. */
  public RunningVariance(Coefficients coefficients) {
    this.coefficients = coefficients;
  }

  /**
   * Of the sum of the last windows.
   *
   * @param windows n that there are so far, 1 to 2^24
   * @param last how many are summed up, 1 to n
   */
  public double of(int windows, int last) {
    double[] r = noiseParts(windows, last);
    double sum = 0;
    for (double part : r) {
      sum += part * part;
    }
    return sum;
  }

  /** r: how much of each window's noise is in the sum. */
  double[] noiseParts(int windows, int last) {
    double[] r = new double[windows];
    WindowBins shape = new WindowBins(windows - 1L);
    long[] widths = Arrays.copyOf(shape.widths(), shape.count() + WindowBins.MOST + 64);
    double[] later = new double[widths.length];
    int count = shape.count();
    r[windows - 1] = last >= 1 ? 1 : 0;
    for (int window = windows - 1; window > 0; window--) {
      spread(r[window], widths, later, count);
      // The bins that there were before the last window came into them.
      WindowBins bins = new WindowBins(window);
      for (int level = bins.merging() - 1; level >= 0; level--) {
        // The pair that became the newest bin of the level above.
        int newest = placeOfNewest(widths, count, 1L << (level + 1));
        System.arraycopy(widths, newest, widths, newest + 1, count - newest);
        System.arraycopy(later, newest, later, newest + 1, count - newest);
        widths[newest] >>= 1;
        widths[newest + 1] = widths[newest];
        count++;
      }
      count--;
      r[window - 1] = (window > windows - last ? 1 : 0) - later[count];
    }
    return r;
  }

  /** A row's noise goes into every bin by its weight. */
  private void spread(double part, long[] widths, double[] later, int count) {
    long lag = 0;
    for (int bin = count - 1; bin >= 0; bin--) {
      lag += widths[bin];
      long weight = coefficients.at(lag);
      if (weight == 0) {
        return;
      }
      later[bin] += part * (weight / (double) Coefficients.ONE);
    }
  }

  private static int placeOfNewest(long[] widths, int count, long width) {
    int place = count - 1;
    while (widths[place] != width) {
      place--;
    }
    return place;
  }
}
