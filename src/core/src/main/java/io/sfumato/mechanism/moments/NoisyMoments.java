// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.mechanism.ReleasedData;
import java.util.OptionalLong;

/**
 * What one draw tells: sums of parts with noise, which may be below 0. Public.
 *
 * @param shape how many groups, numbers and parts there are
 * @param steps in steps of 2^-20 of a record, in the order of {@link MomentShape#place}
 * @param records N of all groups together, where it is public
 */
public record NoisyMoments(MomentShape shape, long[] steps, OptionalLong records)
    implements ReleasedData {
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

  @Override
  public long[] steps() {
    return steps.clone();
  }

  /** One noisy sum, in steps. */
  public long of(int group, int field, int k) {
    return steps[shape.place(group, field, k)];
  }
}
