// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningDiscoveryMechanism;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.NameSampler;
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
 * Names that are counted over the windows of a block.
 *
 * @param spec of the file
 * @param plan the noise, the thresholds and the share
 */
public record PlannedRunningNames(NamesSpec spec, Calibrated<RunningDiscoveryMechanism> plan)
    implements PlannedRelease, PlannedLists {
  /** With Gaussian noise; nothing if the share affords none. */
  static Optional<PlannedRelease> of(NamesSpec spec) {
    return RunningSelectionCalibrator.gaussian(
            spec.share().ledger(),
            spec.share().epsilon(),
            spec.share().delta(),
            spec.runningBounds(),
            spec.running().orElseThrow())
        .map(
            found ->
                new PlannedRunningNames(
                    spec,
                    RunningSelectionCalibrator.planned(
                        spec.share().ledger(),
                        spec.share().epsilon(),
                        spec.share().delta(),
                        found)));
  }

  /** When names are tested, and with which noise. */
  RunningDiscovery discovery() {
    return plan.mechanism().plan();
  }

  @Override
  public SumIntervals sums() {
    return new BlockSums(discovery());
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    digest
        .text("running names")
        .number(spec.most())
        .number(spec.forget().orElse(0))
        .number(discovery().tests().windows())
        .number(discovery().tests().every());
  }

  @Override
  public BigDecimal deltaBesides() {
    return discovery().thresholdDelta();
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "which names enough users have, counted over several windows, with noisy counts",
        pipeline.population(),
        new PrivacyRationale.Source(
            "Theorem N: names over windows",
            "our own proof",
            "theory/partition-selection.md#theorem-n-names-over-windows"),
        PrivacyRationale.ROOT,
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new RunningNamesReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return NamesWriter.caps();
  }

  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    return List.of(PlannedNames.row(RunningRow.bytes(discovery())));
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.empty();
  }

  @Override
  public Optional<NameSampler> names(Pipeline pipeline) {
    return Optional.of(new RunningNamesSampler(this, pipeline));
  }

  @Override
  public LossChecker<?> lossChecker() {
    return new RunningNamesLossChecker(discovery());
  }
}
