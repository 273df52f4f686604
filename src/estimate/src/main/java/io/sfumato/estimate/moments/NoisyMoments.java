// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.moments.DrawnParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentShape;
import java.util.OptionalLong;

/**
 * What draws say of all sums of parts, those that follow from the others too. They have noise, and
 * may be below 0.
 *
 * @param shape how many groups, numbers and parts there are
 * @param steps in steps of 2^-20 of a record, in the order of {@link MomentShape#place}
 * @param records N of all groups together, where it is public
 */
public record NoisyMoments(MomentShape shape, long[] steps, OptionalLong records) {
  /**
   * @throws IllegalArgumentException if there are more or fewer sums, or the number of records is
   *     below 0
   */
  public NoisyMoments {
    steps = steps.clone();
    if (steps.length != shape.size()) {
      throw new IllegalArgumentException(
          shape.size() + " sums were expected, were " + steps.length);
    }
    if (records.isPresent() && records.getAsLong() < 0) {
      throw new IllegalArgumentException("a number of records is at least 0");
    }
  }

  /**
   * Of one draw of a query.
   *
   * @throws ArithmeticException beyond 2^63 steps
   */
  public static NoisyMoments of(MomentQuery query, NoisyVector drawn) {
    DrawnParts parts = query.parts(drawn.size());
    return new NoisyMoments(
        parts.shape(), parts.completed(drawn.values(), drawn.records().orElse(0)), drawn.records());
  }

  @Override
  public long[] steps() {
    return steps.clone();
  }

  /**
   * One noisy sum, in steps.
   *
   * @param group from 0
   * @param field number of a record, from 0
   * @param k part of the number, from 0
   */
  public long of(int group, int field, int k) {
    return steps[shape.place(group, field, k)];
  }
}
