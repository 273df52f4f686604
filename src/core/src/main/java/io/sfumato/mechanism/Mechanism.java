// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import io.sfumato.accounting.PrivacyCost;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One way to publish something about a dataset: one charge, and one law for each dataset.
 *
 * @param <D> the dataset it reads
 * @param <R> what it publishes
 */
public interface Mechanism<D extends ExactData, R extends ReleasedData> {
  /** The word of pipeline files: {@code dirichlet}, {@code gaussian}, {@code mollifier} ... */
  String method();

  /** The cost of one draw from any of its laws, fixed before any data is touched. */
  PrivacyCost charge();

  /**
   * The mechanisms whose draws one charge of this one pays for: itself, other forms of the same
   * noise, or the parts that it is composed of. The charge covers all draws of one release.
   */
  default List<Mechanism<?, ?>> paidFor() {
    return List.of(this);
  }

  /** The parameters by name, for people and reports. */
  Map<String, Double> parameters();

  /** The law of what is published of a dataset. Total: every representable dataset has one. */
  OutputDistribution<R> distribution(D dataset);

  /**
   * The Rényi divergence of the law of one dataset from the law of another, in nats: what is truly
   * lost between them. Nothing where no closed form is known.
   *
   * @param order above 1
   */
  default OptionalDouble divergence(double order, D first, D second) {
    return OptionalDouble.empty();
  }
}
