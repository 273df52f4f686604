// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Map;

/**
 * Draws the noisy thresholds of queries, whose own charge pays for them. Their law does not depend
 * on the dataset, but their randomness does: no two inputs share a threshold.
 *
 * @param queries that compare distances with a noisy threshold
 */
public record ThresholdMechanism(QueryMechanism queries)
    implements Mechanism<QueryInput, NoisyThreshold> {
  @Override
  public String method() {
    return queries.method();
  }

  @Override
  public PrivacyCost charge() {
    return queries.charge();
  }

  @Override
  public Map<String, Double> parameters() {
    return queries.parameters();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the query is another mechanism's
   */
  @Override
  public OutputDistribution<NoisyThreshold> distribution(QueryInput query) {
    query.requireOf(queries);
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        query.encodeInput(encoder);
        encoder.bytes(query.dataset());
      }

      @Override
      public NoisyThreshold draw(KeyedRandom random) {
        return query.noise().threshold(random).orElseThrow();
      }
    };
  }
}
