// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.running.Extent;
import io.sfumato.estimate.running.RowErrorBars;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.RowsJudge;
import io.sfumato.pipeline.RunningFootprint;
import java.util.List;
import java.util.Optional;

/**
 * Counts whose windows draw a row each.
 *
 * @param spec of the file: running, of the last windows, or both
 * @param plan the noise
 */
public record PlannedRunningCount(CountSpec spec, Planned<RunningMechanism> plan)
    implements PlannedRelease {
  /** So many windows of counts without an end are looked at, where an error is told for all. */
  static final int LOOKED_AT = 1024;

  @Override
  public void digest(Framing digest) {
    digest.text(spec.grouping().name());
    spec.over().digest(digest);
  }

  /** Over how many windows errors are told: those that counts run over, or look at. */
  int windows() {
    return spec.over()
        .running()
        .map(extent -> extent instanceof Extent.Until until ? until.windows() : LOOKED_AT)
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
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        spec.counted() + ", over several windows",
        pipeline.population(),
        Basis.ROOT,
        Basis.WINDOW_SUMS,
        Basis.DISCRETE_NOISE);
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
  public List<Footprint> rows(Pipeline pipeline) {
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
    return RunningSums.mostBins(plan.mechanism().lags(), spec.over().most());
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new RunningCountDrawer(this, pipeline));
  }

  @Override
  public DrawJudge<?> judge() {
    return new RowsJudge(plan.mechanism());
  }
}
