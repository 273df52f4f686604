// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.pipeline.TallyRule;

/**
 * What quantiles need of records: how many fall into each bin.
 *
 * @param place of the number among {@code input.values}, from 0
 * @param bins public
 */
record BinsRule(int place, Bins bins) implements TallyRule {
  @Override
  public String canonical() {
    return "bins of %d: %d from %s to %s, %s"
        .formatted(
            place,
            bins.number(),
            Double.toHexString(bins.edge(0)),
            Double.toHexString(bins.edge(bins.number())),
            Scales.word(bins.scale()));
  }

  @Override
  public int places() {
    return bins.number();
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
    to.add(bins.of(numbers[place]), 1);
  }
}
