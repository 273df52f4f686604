// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import io.sfumato.mechanism.quantile.CategoryQuantiles;
import io.sfumato.mechanism.quantile.NoisyCategories;
import java.util.List;
import java.util.stream.IntStream;

/**
 * From the noisy bins of categories to their quantiles, and to those of all records together.
 * Post-processing, as {@link QuantileEstimates}.
 */
public final class CategoryEstimates {
  private final QuantileEstimates ofCategory;
  private final QuantileEstimates ofAll;
  private final int categories;

  /** Of what a mechanism draws. */
  public CategoryEstimates(CategoryQuantiles mechanism) {
    this.categories = mechanism.categories();
    this.ofCategory = QuantileEstimates.ofOneOfSeveral(mechanism.each());
    this.ofAll = ofCategory.ofSums(categories, mechanism.each().sizeIsPublic());
  }

  /**
   * What is told of each category, in their order.
   *
   * @param quantiles each in (0, 1)
   */
  public List<QuantileEstimates.Told> each(NoisyCategories drawn, double... quantiles) {
    return IntStream.range(0, categories)
        .mapToObj(category -> ofCategory.told(drawn.of(category), quantiles))
        .toList();
  }

  /**
   * What is told of the records of all categories together.
   *
   * @param quantiles each in (0, 1)
   */
  public QuantileEstimates.Told all(NoisyCategories drawn, double... quantiles) {
    return ofAll.told(drawn.all(), quantiles);
  }

  /** How far off one category's cumulative counts are. */
  public QuantileError errorOfEach() {
    return ofCategory.error();
  }

  /** How far off those of all records together are. */
  public QuantileError errorOfAll() {
    return ofAll.error();
  }
}
