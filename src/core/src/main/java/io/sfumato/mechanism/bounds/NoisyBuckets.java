// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import io.sfumato.mechanism.ReleasedData;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What is known of a window's buckets once they are drawn. Public.
 *
 * @param counts with noise, one a bucket
 * @param threshold that a bucket's count must reach to pass
 * @param records N, where it is public
 */
public record NoisyBuckets(long[] counts, long threshold, OptionalLong records)
    implements ReleasedData {
  public NoisyBuckets {
    counts = counts.clone();
    if (counts.length != PowerBuckets.NUMBER) {
      throw new IllegalArgumentException("every bucket has a count");
    }
  }

  @Override
  public long[] counts() {
    return counts.clone();
  }

  /** Buckets that pass, in ascending order. */
  public List<Integer> passed() {
    return IntStream.range(0, counts.length).filter(i -> counts[i] >= threshold).boxed().toList();
  }

  /** From the lowest edge of a bucket that passes to the highest; nothing where none does. */
  public Optional<PowerBounds> bounds() {
    List<Integer> passed = passed();
    return passed.isEmpty()
        ? Optional.empty()
        : Optional.of(new PowerBounds(passed.get(0), passed.get(passed.size() - 1)));
  }
}
