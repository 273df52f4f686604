// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.bounds.BucketSums;
import io.sfumato.mechanism.bounds.PowerBuckets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What is kept of a number whose bounds nobody knows: count, sum and sum of squares in each of its
 * {@link PowerBuckets}, by category or all together. Releases that find bounds and those that go by
 * them share it. Places go by group, then by bucket.
 *
 * @param place of the number among {@code input.values}, from 0
 * @param groups number of categories; 1 where all records are taken together
 */
public record PowersRule(int place, int groups) implements RecordAggregation {
  public PowersRule {
    if (place < 0 || groups < 1) {
      throw new IllegalArgumentException("a number has a place, and at least one group");
    }
  }

  @Override
  public String canonical() {
    return "powers of two of " + place + " by " + groups;
  }

  @Override
  public int places() {
    return Math.multiplyExact(groups, BucketSums.SIZE);
  }

  @Override
  public int ofRecord() {
    return BucketSums.OF_BUCKET;
  }

  @Override
  public Setting setting() {
    return groups > 1
        ? new Setting("input.categories", groups)
        : new Setting("the numbers with 'bounds: auto'", 1);
  }

  @Override
  public void add(long category, double[] numbers, Sums to) {
    double x = numbers[place];
    if (Double.isNaN(x)) {
      return;
    }
    long u = PowerBuckets.fraction(x);
    int at =
        (groups > 1 ? (int) category * BucketSums.SIZE : 0)
            + PowerBuckets.of(x) * BucketSums.OF_BUCKET;
    to.add(at, 1);
    to.add(at + 1, u);
    to.add(at + 2, u * u);
  }

  /** What was kept, one a group. */
  public List<BucketSums> of(SparseSums tally) {
    long[] all = tally.dense(places());
    return IntStream.range(0, groups)
        .mapToObj(
            group ->
                new BucketSums(
                    Arrays.copyOfRange(
                        all, group * BucketSums.SIZE, (group + 1) * BucketSums.SIZE)))
        .toList();
  }
}
