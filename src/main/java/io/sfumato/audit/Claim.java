// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.Charge;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;

/**
 * What an output's charge assumes of neighbours.
 *
 * @param pipeline with the records of a user that count
 * @param planned the output
 * @param charges how often the protected ledgers were charged for it
 */
record Claim(Pipeline pipeline, PlannedRelease planned, long charges) {
  Charge charge() {
    return planned.charge();
  }

  boolean ofUsers() {
    return pipeline.population().isPresent();
  }

  /** The most that one window's counts move in all: two counts by 1, or one by C. */
  double l1() {
    return pipeline.population().map(users -> (double) users.records()).orElse(2.0);
  }

  /** The same, squared. */
  double squaredL2() {
    return pipeline
        .population()
        .map(users -> (double) users.records() * users.records())
        .orElse(2.0);
  }
}
