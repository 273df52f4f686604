// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.abc.QueryPlan;
import io.sfumato.noise.Framing;

/**
 * Queries.
 *
 * @param spec of the file
 * @param plan of each query
 */
public record PlannedQueries(AbcSpec spec, QueryPlan plan) implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    digest
        .text(
            switch (spec.measure()) {
              case FEATURES -> "FEATURES";
              case CATEGORIES -> "CATEGORIES";
            })
        .number(spec.candidates())
        .number(spec.keep())
        .text(spec.waiting().canonical());
  }

  @Override
  public Share share() {
    return plan.share();
  }

  @Override
  public Charge charge() {
    return plan.mechanism().charge();
  }
}
