// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Several draws as one, each with random numbers after those of the one before: what a user who is
 * in all of them gives away together.
 *
 * @param <R> what each publishes
 * @param distributions in their order
 * @param numbers of what each publishes
 */
public record Joint<R extends ReleasedData>(
    List<OutputDistribution<R>> distributions, Function<R, long[]> numbers)
    implements OutputDistribution<NoisyVector> {
  public Joint {
    distributions = List.copyOf(distributions);
  }

  @Override
  public void encodeInput(CanonicalEncoder encoder) {
    distributions.forEach(distribution -> distribution.encodeInput(encoder));
  }

  @Override
  public NoisyVector draw(KeyedRandom random) {
    return new NoisyVector(
        distributions.stream()
            .flatMapToLong(distribution -> LongStream.of(numbers.apply(distribution.draw(random))))
            .toArray());
  }
}
