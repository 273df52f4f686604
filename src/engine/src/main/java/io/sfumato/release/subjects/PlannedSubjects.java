// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.LastPass;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.random.CanonicalEncoder;
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
    SubjectsSpec spec, Calibrated<DiscoveryMechanism> plan, BigDecimal thresholdDelta)
    implements PlannedRelease {
  @Override
  public void digest(CanonicalEncoder digest) {
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
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "which subjects enough users have, with their noisy number",
        pipeline.population(),
        PrivacyRationale.NAMES,
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new SubjectsReport(pipeline, this).facts();
  }

  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    long bytes = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + LastPass.LARGEST;
    return List.of(new SizeBound(SizeBound.Kind.ROW, "running-store", bytes, List.of()));
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new SubjectsSampler(plan.mechanism(), SubjectsSampler.Standing.PUBLIC));
  }

  @Override
  public LossChecker<?> lossChecker() {
    return new SubjectsLossChecker(
        plan.mechanism(),
        spec.bounds(),
        SelectionCalibrator.chance(thresholdDelta, spec.horizon()),
        spec.finding().most());
  }
}
