// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.discovery.DiscoveryPlanner;
import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.LastPass;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Subjects that nobody listed.
 *
 * @param spec of the file
 * @param plan noise and threshold
 * @param thresholdDelta the part of the share's delta that the threshold takes
 */
public record PlannedSubjects(
    SubjectsSpec spec, Planned<DiscoveryMechanism> plan, BigDecimal thresholdDelta)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    digest
        .text("subjects")
        .number(plan.mechanism().threshold().least())
        .number(spec.finding().most())
        .number(spec.finding().forgetAfter().orElse(0));
  }

  @Override
  public BigDecimal deltaBesides() {
    return thresholdDelta;
  }

  @Override
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        "which subjects enough users have, with their noisy number",
        pipeline.population(),
        Basis.NAMES,
        Basis.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new SubjectsReport(pipeline, this).facts();
  }

  @Override
  public List<Footprint> rows(Pipeline pipeline) {
    long bytes = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + LastPass.LARGEST;
    return List.of(new Footprint(Footprint.Kind.ROW, "running-store", bytes, List.of()));
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new SubjectsDrawer(plan.mechanism(), SubjectsDrawer.Standing.PUBLIC));
  }

  @Override
  public DrawJudge<?> judge() {
    return new SubjectsJudge(
        plan.mechanism(),
        spec.bounds(),
        DiscoveryPlanner.chance(thresholdDelta, spec.horizon()),
        spec.finding().most());
  }
}
