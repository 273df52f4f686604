// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import java.util.List;
import java.util.OptionalLong;

/**
 * How dense one published histogram is, given the exact counts: the density of what stands in the
 * release, with everything that its making lost summed out. Up to a factor that is the same for all
 * counts of {@link #records}. Public: whoever has the release and the plan has it. Immutable.
 */
public interface HistogramDensity {
  /** N that the counts add up to: the public one, or where that is private the best known guess. */
  long records();

  /**
   * Logarithm of the density.
   *
   * @param counts at least 0, adding up to {@link #records}
   */
  double log(long[] counts);

  /**
   * The density as a sum of products with one factor a category; empty where it is none. Then
   * whatever makes counts independent but for their sum can be integrated out exactly.
   */
  List<Product> products();

  /** One factor a category, each log-concave in its count. */
  interface Product {
    /**
     * Logarithm of a factor.
     *
     * @param category from 0
     * @param count at least 0
     */
    double log(int category, long count);

    /**
     * The count at which a factor has a kink, beside which sums over counts take no strides;
     * nothing where it is smooth everywhere.
     */
    default OptionalLong kink(int category) {
      return OptionalLong.empty();
    }
  }

  /**
   * A sum of products.
   *
   * @param products at least one
   */
  record Sum(long records, List<Product> products) implements HistogramDensity {
    public Sum {
      products = List.copyOf(products);
    }

    @Override
    public double log(long[] counts) {
      double[] terms = new double[products.size()];
      double most = Double.NEGATIVE_INFINITY;
      for (int k = 0; k < terms.length; k++) {
        for (int i = 0; i < counts.length; i++) {
          terms[k] += products.get(k).log(i, counts[i]);
        }
        most = Math.max(most, terms[k]);
      }
      if (most == Double.NEGATIVE_INFINITY) {
        return most;
      }
      double sum = 0;
      for (double term : terms) {
        sum += StrictMath.exp(term - most);
      }
      return most + StrictMath.log(sum);
    }
  }
}
