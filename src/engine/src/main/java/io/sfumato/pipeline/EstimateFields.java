// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.schema.Estimate;

/** Estimates as outputs have them: in a record of their own. */
public final class EstimateFields {
  private EstimateFields() {}

  /** What was estimated, as it is published. */
  public static Estimate of(io.sfumato.estimate.Estimate estimate) {
    return new Estimate(
        estimate.value(), estimate.low(), estimate.high(), estimate.clamped(), estimate.unknown());
  }
}
