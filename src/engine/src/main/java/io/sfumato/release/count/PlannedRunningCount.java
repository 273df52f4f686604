// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.RowsLossChecker;
import io.sfumato.pipeline.RunningFootprint;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Optional;

/**
 * Counts whose windows draw a row each.
 *
 * @param spec of the file: running, of the last windows, or both
 * @param plan the noise
 */
public record PlannedRunningCount(CountSpec spec, Calibrated<RunningMechanism> plan)
    implements PlannedRelease {
  /** So many windows of counts without an end are looked at, where an error is told for all. */
  static final int LOOKED_AT = 1024;

  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text(spec.grouping().name());
    spec.over().digest(digest);
  }

  /** Over how many windows errors are told: those that counts run over, or look at. */
  int windows() {
    return spec.over()
        .running()
        .map(horizon -> horizon instanceof Horizon.Until until ? until.windows() : LOOKED_AT)
        .orElse(spec.over().last().orElse(1));
  }

  /** Root mean square error over these windows; of the last windows where counts do not run. */
  double error() {
    RowErrorBars bars = new RowErrorBars(plan.mechanism());
    return spec.over().running().isPresent()
        ? bars.rootMeanSquare(windows())
        : bars.deviation(LOOKED_AT, windows());
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        spec.counted() + ", over several windows",
        pipeline.population(),
        PrivacyRationale.ROOT,
        PrivacyRationale.WINDOW_SUMS,
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new RunningCountReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return CountWriter.caps(spec, pipeline);
  }

  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    int groups = spec.isByCategory() ? pipeline.input().allCategories().size() : 1;
    return List.of(
        RunningFootprint.of(
            spec.name(),
            plan.charge().mechanism(),
            spec.told(),
            mostBins(),
            spec.over().last().orElse(1),
            groups,
            "input.categories",
            "a smaller 'running' or 'over' of '%s', or its 'by: total'".formatted(spec.name())));
  }

  /** Most bins that a subject's past is kept in. */
  public int mostBins() {
    return RunningSums.mostBins(plan.mechanism().coefficients(), spec.over().most());
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new RunningCountSampler(this, pipeline));
  }

  @Override
  public LossChecker<?> lossChecker() {
    return new RowsLossChecker(plan.mechanism());
  }
}
