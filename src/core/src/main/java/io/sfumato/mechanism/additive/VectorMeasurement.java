// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * y = q(x) + z: a query q of exact data x, and whole-number noise z of one law on each of its
 * numbers. A theorem contributes q and its sensitivity, which is how far q(x) moves between
 * neighbours. Encoding, draw and true loss are written here, once for all of them.
 *
 * <p>Its two records hold the query, the sensitivity and the noise, and so they are equal if all
 * three are. They differ in how a sensitivity is told and charged: {@link CountMeasurement} in
 * counts, {@link GridMeasurement} in steps of a grid. No other class can implement this one.
 *
 * @param <Q> the query
 */
public sealed interface VectorMeasurement<Q extends VectorQuery>
    extends Mechanism<ExactVector, NoisyVector> permits CountMeasurement, GridMeasurement {
  /** q. */
  Q query();

  /** z. */
  VectorNoise noise();

  /** What is protected. */
  PrivacyUnit unit();

  /** Whether the number of records is the same in all neighbours. */
  default boolean sizeIsPublic() {
    return unit() == PrivacyUnit.RECORD;
  }

  @Override
  default String method() {
    return noise().method();
  }

  @Override
  default Map<String, Double> parameters() {
    return query().parameters(noise());
  }

  @Override
  default List<Mechanism<?, ?>> paidFor() {
    return query().paidFor(this);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the data are of another shape than the query's
   */
  @Override
  default OutputDistribution<NoisyVector> distribution(ExactVector exact) {
    long[] vector = query().vector(exact);
    OptionalLong records = publicRecords(exact);
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        query().encode(encoder, VectorMeasurement.this, exact);
      }

      @Override
      public NoisyVector draw(KeyedRandom random) {
        ToLongFunction<KeyedRandom> z = noise().sampler();
        long[] y = vector.clone();
        for (int i = 0; i < y.length; i++) {
          y[i] = Math.addExact(y[i], z.applyAsLong(random));
        }
        return new NoisyVector(records, y);
      }
    };
  }

  private OptionalLong publicRecords(ExactVector exact) {
    return sizeIsPublic() ? query().records(exact) : OptionalLong.empty();
  }

  /** Infinite where a public number of records differs: such datasets are no neighbours. */
  @Override
  default OptionalDouble divergence(double order, ExactVector first, ExactVector second) {
    return OptionalDouble.of(
        publicRecords(first).equals(publicRecords(second))
            ? noise().divergence(order, query().vector(first), query().vector(second))
            : Double.POSITIVE_INFINITY);
  }
}
