// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import java.util.OptionalDouble;

/**
 * How queries are answered. One query is one charge, fixed before any data is touched; the noise of
 * its answers is then calibrated to that charge from two public numbers, N and T. An answer is a
 * whole number: 1 for an accepted candidate and 0 for a rejected one, or a distance in steps.
 */
public sealed interface QueryMechanism extends Mechanism<Question, Long>
    permits RejectionQueries, SoftQueries, SparseVectorQueries {
  /**
   * The noise of one query's answers.
   *
   * @param sensitivity D, above 0
   * @param candidates T, at least 1
   */
  QueryNoise noise(double sensitivity, long candidates);

  @Override
  default Law<Long> law(Question question) {
    return noise(question.sensitivity(), question.candidates())
        .answer(question.distance(), question.state());
  }

  @Override
  default OptionalDouble divergence(double order, Question first, Question second) {
    return noise(first.sensitivity(), first.candidates())
        .divergence(order, first.distance(), second.distance());
  }
}
