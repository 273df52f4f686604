// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.pipeline.RecordAggregation;

/**
 * What quantiles need of records: how many fall into each bin, by category or all together. Places
 * go by group, then by bin.
 *
 * @param place of the number among {@code input.values}, from 0
 * @param bins public
 * @param groups number of categories; 1 where all records are taken together
 */
record BinsRule(int place, Bins bins, int groups) implements RecordAggregation {
  @Override
  public String canonical() {
    return "bins of %d: %d from %s to %s, %s"
            .formatted(
                place,
                bins.number(),
                Double.toHexString(bins.edge(0)),
                Double.toHexString(bins.edge(bins.number())),
                Scales.word(bins.scale()))
        + (groups > 1 ? ", by " + groups : "");
  }

  @Override
  public int places() {
    return groups * bins.number();
  }

  @Override
  public int ofRecord() {
    return 1;
  }

  @Override
  public Setting setting() {
    return new Setting("bins", bins.number());
  }

  @Override
  public void add(long category, double[] numbers, Sums to) {
    if (Double.isNaN(numbers[place])) {
      return;
    }
    int first = groups > 1 ? (int) category * bins.number() : 0;
    to.add(first + bins.of(numbers[place]), 1);
  }
}
