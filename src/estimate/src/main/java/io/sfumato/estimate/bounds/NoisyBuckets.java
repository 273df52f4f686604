// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.bounds;

import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.bounds.PowerBuckets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which buckets of a window pass, and the bounds that follow.
 *
 * @param counts with noise, one a bucket
 * @param threshold that a bucket's count must reach to pass
 */
public record NoisyBuckets(NoisyVector counts, long threshold) {
  /**
   * @throws IllegalArgumentException unless every bucket has a count
   */
  public NoisyBuckets {
    if (counts.size() != PowerBuckets.NUMBER) {
      throw new IllegalArgumentException("every bucket has a count");
    }
  }

  /** Buckets that pass, in ascending order. */
  public List<Integer> passed() {
    return IntStream.range(0, counts.size())
        .filter(i -> counts.of(i) >= threshold)
        .boxed()
        .toList();
  }

  /** From the lowest edge of a bucket that passes to the highest; nothing where none does. */
  public Optional<PowerBounds> bounds() {
    List<Integer> passed = passed();
    return passed.isEmpty()
        ? Optional.empty()
        : Optional.of(new PowerBounds(passed.get(0), passed.get(passed.size() - 1)));
  }
}
