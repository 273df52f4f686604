// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A query q: it maps exact data to the whole numbers that noise is added to. A value: two queries
 * are equal if they map all data alike. A theorem says how far neighbours move its numbers.
 */
public interface VectorQuery {
  /** Binary digits of the grid that its numbers are whole on: a record is 2^digits steps. */
  int digits();

  /**
   * Checks that it can be measured where this is protected: the number of records is public for
   * records alone.
   *
   * @throws IllegalArgumentException if it cannot
   */
  default void requireUnit(PrivacyUnit unit) {}

  /**
   * Writes a tag of its own, all parameters of query and noise, and the exact data: randomness
   * depends on these bytes, so they never change.
   */
  void encode(CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact);

  /**
   * q(x), in whole steps. A new array.
   *
   * @throws IllegalArgumentException if the data are of another shape; says nothing of the numbers
   */
  long[] vector(ExactVector exact);

  /**
   * N, the number of records. It is published as it is where it is the same in all neighbours.
   * Nothing for a query of which it is not published.
   */
  default OptionalLong records(ExactVector exact) {
    return OptionalLong.empty();
  }

  /** The parameters of its noise by name, for people and reports. */
  default Map<String, Double> parameters(VectorNoise noise) {
    return noise.parameters();
  }

  /** The mechanisms whose draws one charge of a measurement of it pays for. */
  default List<Mechanism<?, ?>> paidFor(VectorMeasurement<?> measurement) {
    return List.of(measurement);
  }
}
