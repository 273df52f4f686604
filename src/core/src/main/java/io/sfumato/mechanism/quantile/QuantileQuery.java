// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.mechanism.matrix.RootQuery;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import io.sfumato.random.CanonicalEncoder;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows C x over the bins that a window's values fall into, from which all its quantiles are
 * estimated; of each category, or of all records together. Categories are to Theorem J of
 * docs/theory/running-sums.md what subjects are: a record lies in one row of all, a user's records
 * in as many as there are records, and a replaced record is moved from one row to another,
 * whosesoever the two are. So all categories cost what one of them does.
 *
 * @param bins public
 * @param root C, with as many rows as bins
 * @param categories K, at least 1; 1 where all records are taken together
 */
public record QuantileQuery(Bins bins, ToeplitzRoot root, int categories) implements VectorQuery {
  /** Most bins of all categories together, each of which has noise of its own. */
  public static final int MOST_ROWS = 1 << 18;

  /**
   * @throws IllegalArgumentException if the root has not one row for each bin, or there is no
   *     category, or too many
   */
  public QuantileQuery {
    if (root.rows() != bins.number()) {
      throw new IllegalArgumentException(root.rows() + " rows for " + bins.number() + " bins");
    }
    if (categories < 1 || categories > mostCategories(bins.number())) {
      throw new IllegalArgumentException(
          "there is at least 1 category, with at most %d bins of all categories, were %d times %d bins"
              .formatted(MOST_ROWS, categories, bins.number()));
    }
  }

  /**
   * With the root of as many rows as bins.
   *
   * @param categories number of categories, 1 to {@link #mostCategories}
   * @throws IllegalArgumentException if it is out of range
   */
  public QuantileQuery(Bins bins, int categories) {
    this(bins, ToeplitzRoot.full(bins.number()), categories);
  }

  /**
   * Most categories, each with so many bins.
   *
   * @param bins of each category, at least 1
   */
  public static int mostCategories(int bins) {
    return MOST_ROWS / bins;
  }

  /**
   * Bins of a category where nobody says how many: fewer where there are many categories, so that
   * what is kept of a window fits into one record.
   *
   * @param categories at least 1
   */
  public static int binsUnlessSaid(int categories) {
    return Math.min(Bins.DEFAULT, Integer.highestOneBit(Bins.LARGEST / categories));
  }

  @Override
  public int digits() {
    return GridNoise.DIGITS;
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    if (categories > 1) {
      encoder.text("quantiles by category").number(categories);
    }
    RootQuery rows = new RootQuery(root);
    each(exact)
        .forEach(
            category -> {
              encoder.text("quantile");
              bins.encode(encoder);
              rows.encode(encoder, measurement, category);
            });
  }

  /**
   * By category, in it by bin.
   *
   * @throws IllegalArgumentException if there is not one count for each bin of each category
   */
  @Override
  public long[] vector(ExactVector exact) {
    return each(exact).map(root::times).flatMapToLong(Arrays::stream).toArray();
  }

  @Override
  public OptionalLong records(ExactVector exact) {
    return OptionalLong.of(exact.total());
  }

  private Stream<ExactVector> each(ExactVector exact) {
    int number = bins.number();
    if (exact.size() != categories * number) {
      throw new IllegalArgumentException(
          exact.size() + " counts for " + number + " bins of each of " + categories);
    }
    return IntStream.range(0, categories)
        .mapToObj(category -> exact.between(category * number, (category + 1) * number));
  }
}
