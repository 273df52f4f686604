// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.bounds.BucketSums;
import io.sfumato.mechanism.bounds.PowerBounds;
import java.util.List;

/**
 * Numbers that were kept before anybody knew their bounds, and bounds that are known now: together
 * the sums of their parts. The numbers are secret, the bounds are public.
 *
 * @param shape of the sums
 * @param buckets in the order of groups, then numbers; those of a group have as many records
 * @param bounds one a number
 */
public record OpenSums(MomentShape shape, List<BucketSums> buckets, List<PowerBounds> bounds)
    implements ExactData {
  /**
   * @throws IllegalArgumentException unless every number has buckets in each group, and bounds
   */
  public OpenSums {
    buckets = List.copyOf(buckets);
    bounds = List.copyOf(bounds);
    if (buckets.size() != shape.groups() * shape.fields() || bounds.size() != shape.fields()) {
      throw new IllegalArgumentException("every number has buckets in each group, and bounds");
    }
  }

  /** The parts that follow: rounded once for each group and number. */
  public ExactVector sums() {
    long[] steps = new long[shape.size()];
    for (int group = 0; group < shape.groups(); group++) {
      for (int field = 0; field < shape.fields(); field++) {
        BucketSums kept = buckets.get(group * shape.fields() + field);
        long[] parts = RoundedParts.of(kept.within(bounds.get(field)), shape.degree());
        System.arraycopy(parts, 0, steps, shape.place(group, field, 0), parts.length);
      }
    }
    return new ExactVector(steps);
  }

  /** The same numbers within other bounds. */
  public OpenSums within(List<PowerBounds> others) {
    return new OpenSums(shape, buckets, others);
  }

  /** Never prints the numbers: they are what must stay private. */
  @Override
  public String toString() {
    return "OpenSums[" + bounds + "]";
  }
}
