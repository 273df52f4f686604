// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import io.sfumato.mechanism.ExactData;
import java.util.Arrays;

/** How many records there are in each of the {@link PowerBuckets}. Secret. Immutable. */
public final class BucketCounts implements ExactData {
  private final long[] counts;

  /**
   * Some counts.
   *
   * @param counts one a bucket, each at least 0; copied
   */
  public BucketCounts(long[] counts) {
    if (counts.length != PowerBuckets.NUMBER || Arrays.stream(counts).anyMatch(n -> n < 0)) {
      throw new IllegalArgumentException("every bucket has a count of at least 0");
    }
    this.counts = counts.clone();
  }

  /** One a bucket. */
  public long[] values() {
    return counts.clone();
  }

  /** N: all of them together. */
  public long records() {
    return Arrays.stream(counts).reduce(0, Math::addExact);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BucketCounts kept && Arrays.equals(counts, kept.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  /** Never prints the numbers: they are what must stay private. */
  @Override
  public String toString() {
    return "BucketCounts[masked]";
  }
}
