// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;
import java.util.Locale;

/** What is asked of numbers, and its truth. */
enum Statistic {
  SUM {
    @Override
    double of(double[] x) {
      return Arrays.stream(x).sum();
    }
  },
  MEAN {
    @Override
    double of(double[] x) {
      return SUM.of(x) / x.length;
    }
  },
  /** Over n. */
  VARIANCE {
    @Override
    double of(double[] x) {
      double mean = MEAN.of(x);
      return Arrays.stream(x).map(each -> (each - mean) * (each - mean)).sum() / x.length;
    }

    @Override
    double scale(AmountRange range) {
      return range.width() * range.width();
    }
  };

  /** The truth. */
  abstract double of(double[] x);

  /** To which errors are relative: the width of the range, in this statistic's measure. */
  double scale(AmountRange range) {
    return range.width();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
