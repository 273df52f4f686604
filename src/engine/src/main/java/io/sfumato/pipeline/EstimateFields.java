// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.schema.Estimate;

/** Estimates as outputs have them: in a record of their own. */
public final class EstimateFields {
  private static final String[] NAMES = {"value", "low", "high", "clamped", "unknown"};

  private EstimateFields() {}

  /** What was estimated, as it is published. */
  public static Estimate of(io.sfumato.estimate.Estimate estimate) {
    return new Estimate(
        estimate.value(), estimate.low(), estimate.high(), estimate.clamped(), estimate.unknown());
  }

  /** Most bytes of one. */
  public static long size(OutputBytes out) {
    return 3 * out.ofDecimal() + 2 * out.ofTruth() + out.ofFields(NAMES);
  }

  /** Counts one that is a field of an output. */
  public static OutputBytes size(OutputBytes out, String field) {
    return out.nested(field)
        .decimal("value")
        .decimal("low")
        .decimal("high")
        .truth("clamped")
        .truth("unknown");
  }
}
