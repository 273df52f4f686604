// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.estimate.Calibrated;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A library's release: like another, but for what it charges and how it is drawn.
 *
 * @param changed what it makes of the other's sampler
 */
public record ReleaseLike(
    PlannedRelease honest, Calibrated<?> plan, UnaryOperator<ReleaseSampler> changed)
    implements PlannedRelease {
  @Override
  public ReleaseSpec spec() {
    return honest.spec();
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    honest.digest(digest);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return honest.facts(pipeline);
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return honest.caps(pipeline);
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return honest.sampler(pipeline).map(changed);
  }

  @Override
  public LossChecker<?> lossChecker() {
    return honest.lossChecker();
  }
}
