// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.estimate.Planned;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSpec;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A library's release: like another, but for what it charges and how it is drawn.
 *
 * @param changed what it makes of the other's drawer
 */
public record ReleaseLike(PlannedRelease honest, Planned<?> plan, UnaryOperator<Drawer> changed)
    implements PlannedRelease {
  @Override
  public ReleaseSpec spec() {
    return honest.spec();
  }

  @Override
  public void digest(Framing digest) {
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
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return honest.drawer(pipeline).map(changed);
  }

  @Override
  public DrawJudge<?> judge() {
    return honest.judge();
  }
}
