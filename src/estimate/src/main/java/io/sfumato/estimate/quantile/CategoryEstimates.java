// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * From the noisy bins of categories to their quantiles, and to those of all records together.
 * Post-processing, as {@link QuantileEstimates}.
 */
public final class CategoryEstimates {
  private final QuantileEstimates ofCategory;
  private final QuantileEstimates ofAll;
  private final int categories;
  private final int bins;

  /** Of what a mechanism draws. */
  public CategoryEstimates(GridMeasurement<QuantileQuery> mechanism) {
    this.categories = mechanism.query().categories();
    this.bins = mechanism.query().bins().number();
    this.ofCategory = QuantileEstimates.ofOneOfSeveral(mechanism);
    this.ofAll = ofCategory.ofSums(categories, mechanism.sizeIsPublic());
  }

  /**
   * What is told of each category, in their order.
   *
   * @param quantiles each in (0, 1)
   */
  public List<QuantileEstimates.Told> each(NoisyVector drawn, double... quantiles) {
    long[] all = drawn.values();
    return IntStream.range(0, categories)
        .mapToObj(category -> Arrays.copyOfRange(all, category * bins, (category + 1) * bins))
        .map(rows -> ofCategory.told(rows, OptionalLong.empty(), quantiles))
        .toList();
  }

  /**
   * What is told of the records of all categories together: rows add up, and so does their noise.
   *
   * @param quantiles each in (0, 1)
   */
  public QuantileEstimates.Told all(NoisyVector drawn, double... quantiles) {
    long[] sums = new long[bins];
    for (int place = 0; place < drawn.size(); place++) {
      sums[place % bins] = Math.addExact(sums[place % bins], drawn.of(place));
    }
    return ofAll.told(sums, drawn.records(), quantiles);
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
