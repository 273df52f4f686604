// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

/**
 * One summary statistic of a dataset, with the public scale in which its differences count: a
 * difference of one scale adds 1 to a squared distance. No summary tells N.
 */
public sealed interface Summary {
  /** In the unit of the summary, above 0. */
  double scale();

  /** Its value, not scaled; the dataset has at least one record. */
  double of(SummaryData data);

  /** Live states and digests hang on this text, so that it never changes. */
  String canonical();

  /** A statistic of all records' numbers. */
  enum Statistic {
    MEAN,
    /** Standard deviation, over N. */
    DEVIATION,
    SMALLEST,
    LARGEST
  }

  /**
   * Of one field's numbers, exact whatever their number.
   *
   * @param statistic of these numbers
   * @param field place among the numbers, from 0
   * @param scale public, above 0: differences are divided by it
   */
  record OfAll(Statistic statistic, int field, double scale) implements Summary {
    public OfAll {
      requireScale(scale);
    }

    @Override
    public double of(SummaryData data) {
      NumberSum sum = data.sum(field);
      return switch (statistic) {
        case MEAN -> sum.mean(data.size());
        case DEVIATION -> sum.deviation(data.size());
        case SMALLEST -> sum.smallest();
        case LARGEST -> sum.largest();
      };
    }

    @Override
    public String canonical() {
      String word =
          switch (statistic) {
            case MEAN -> "mean";
            case DEVIATION -> "deviation";
            case SMALLEST -> "smallest";
            case LARGEST -> "largest";
          };
      return word + " " + field + " / " + Double.toHexString(scale);
    }
  }

  /**
   * The least number at or below which a share of the numbers lies; of the sample, where there are
   * more records than it holds.
   *
   * @param field place among the numbers, from 0
   * @param at the share, above 0, at most 1
   * @param scale public, above 0: differences are divided by it
   */
  record Quantile(int field, double at, double scale) implements Summary {
    /**
     * @throws IllegalArgumentException if the share is not above 0, or above 1
     */
    public Quantile {
      requireScale(scale);
      if (!(at > 0 && at <= 1)) {
        throw new IllegalArgumentException("a quantile lies above 0 and at most at 1, was " + at);
      }
    }

    @Override
    public double of(SummaryData data) {
      double[] sorted = data.sorted(field);
      int place = (int) Math.ceil(at * sorted.length) - 1;
      return sorted[Math.max(0, Math.min(sorted.length - 1, place))];
    }

    @Override
    public String canonical() {
      return "quantile "
          + field
          + " at "
          + Double.toHexString(at)
          + " / "
          + Double.toHexString(scale);
    }
  }

  /**
   * The share of one category.
   *
   * @param category place among the categories, from 0
   * @param scale public, above 0: differences are divided by it
   */
  record Share(int category, double scale) implements Summary {
    public Share {
      requireScale(scale);
    }

    @Override
    public double of(SummaryData data) {
      return data.share(category);
    }

    @Override
    public String canonical() {
      return "share " + category + " / " + Double.toHexString(scale);
    }
  }

  private static void requireScale(double scale) {
    if (!(scale > 0) || scale == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("a scale is above 0, was " + scale);
    }
  }
}
