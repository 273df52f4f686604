// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.Calibrated;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.GridLossChecker;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;

/**
 * Quantiles of all records, or of each category's.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedQuantile(QuantileSpec spec, Calibrated<GridMeasurement<QuantileQuery>> plan)
    implements PlannedRelease {
  @Override
  public void digest(CanonicalEncoder digest) {
    spec.digest(digest);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new QuantileReport(pipeline, this).facts();
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "quantiles of " + spec.value() + (spec.isByCategory() ? " in each category" : ""),
        pipeline.population(),
        PrivacyRationale.ROOT,
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return new QuantileWriter(spec).caps(pipeline);
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new QuantileSampler(this));
  }

  /** All rows of all categories: a record may leave those of one for those of another. */
  @Override
  public LossChecker<ExactVector> lossChecker() {
    return new GridLossChecker(plan.mechanism());
  }
}
