// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Several draws as one, each with random numbers after those of the one before: what a user who is
 * in all of them gives away together.
 *
 * @param <R> what each publishes
 * @param laws in their order
 * @param numbers of what each publishes
 */
public record Joint<R extends ReleasedData>(List<Law<R>> laws, Function<R, long[]> numbers)
    implements Law<NoisyVector> {
  public Joint {
    laws = List.copyOf(laws);
  }

  @Override
  public void frame(Framing framing) {
    laws.forEach(law -> law.frame(framing));
  }

  @Override
  public NoisyVector draw(ReplayableRandom random) {
    return new NoisyVector(
        laws.stream()
            .flatMapToLong(law -> LongStream.of(numbers.apply(law.draw(random))))
            .toArray());
  }
}
