// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.OptionalDouble;

/**
 * How queries are answered. One query is one charge, fixed before any data is touched; the noise of
 * its answers is then calibrated to that charge from two public numbers, N and T. An answer is a
 * whole number: 1 for an accepted candidate and 0 for a rejected one, or a distance in steps.
 */
public sealed interface QueryMechanism extends Mechanism<Question, NoisyAnswer>
    permits RejectionQueries, SoftQueries, SparseVectorQueries {
  /**
   * The noise of one query's answers.
   *
   * @param sensitivity D, above 0
   * @param candidates T, at least 1
   */
  QueryNoise noise(double sensitivity, long candidates);

  /**
   * One query of a dataset.
   *
   * @param sensitivity D, above 0
   * @param records N, of the dataset; public
   * @param candidates T, at least 1
   * @param dataset canonical encoding of the exact dataset: secret
   */
  default QueryInput query(double sensitivity, long records, long candidates, byte[] dataset) {
    return new QueryInput(this, sensitivity, records, candidates, dataset);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the question belongs to a query of another mechanism
   */
  @Override
  default OutputDistribution<NoisyAnswer> distribution(Question question) {
    QueryInput query = question.query();
    query.requireOf(this);
    OutputDistribution<NoisyAnswer> answer =
        query.noise().answer(question.distance(), question.state());
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        query.encodeInput(encoder);
        encoder.bytes(question.candidate()).bytes(query.dataset());
      }

      @Override
      public NoisyAnswer draw(KeyedRandom random) {
        return answer.draw(random);
      }
    };
  }

  @Override
  default OptionalDouble divergence(double order, Question first, Question second) {
    return first.query().noise().divergence(order, first.distance(), second.distance());
  }
}
