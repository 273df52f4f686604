// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.estimate.HistogramDensity;
import io.sfumato.modeller.PseudoData;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/** How likely a histogram release is. */
public final class HistogramLikelihood implements Likelihood {
  private static final int MOST_RECORDS = 1 << 30;

  private final HistogramDensity density;
  private final int categories;
  private final int records;
  private final List<CountIntegral> integrals;

  /**
   * @param density of the release, of 1 to 2^30 records
   * @throws IllegalArgumentException if there are no records, or more
   */
  public HistogramLikelihood(HistogramDensity density, int categories) {
    if (density.records() < 1 || density.records() > MOST_RECORDS) {
      throw new IllegalArgumentException(
          density.records() < 1
              ? "the window has no records, so that its release says nothing about any parameter"
              : "a release of more than 2^30 records cannot be asked");
    }
    this.density = density;
    this.categories = categories;
    this.records = (int) density.records();
    this.integrals =
        density.products().stream()
            .map(product -> new CountIntegral(product, categories, records))
            .toList();
  }

  @Override
  public int records() {
    return records;
  }

  @Override
  public double log(PseudoData simulated) {
    if (!(simulated instanceof PseudoData.Counts counts)) {
      throw new IllegalArgumentException(
          "the release counts "
              + categories
              + " categories and the simulator gives numbers: take event-rates, or another"
              + " simulator of counts");
    }
    long[] found = counts.byCategory();
    if (found.length != categories || LongStream.of(found).sum() != records) {
      throw new IllegalArgumentException(
          "the release is of %d records in %d categories, the simulator gave %d in %d"
              .formatted(records, categories, LongStream.of(found).sum(), found.length));
    }
    return density.log(found);
  }

  @Override
  public OptionalDouble logOfShares(double[] shares) {
    if (integrals.isEmpty()) {
      return OptionalDouble.empty();
    }
    if (shares.length != categories) {
      throw new IllegalArgumentException(
          "the release counts %d categories, the simulator %d"
              .formatted(categories, shares.length));
    }
    double[] terms = integrals.stream().mapToDouble(one -> one.log(shares)).toArray();
    return OptionalDouble.of(logSum(terms));
  }

  /** Logarithm of a sum of exponentials. */
  static double logSum(double[] terms) {
    double most = Arrays.stream(terms).max().orElse(Double.NEGATIVE_INFINITY);
    if (most == Double.NEGATIVE_INFINITY) {
      return most;
    }
    double sum = 0;
    for (double term : terms) {
      sum += Math.exp(term - most);
    }
    return most + Math.log(sum);
  }
}
