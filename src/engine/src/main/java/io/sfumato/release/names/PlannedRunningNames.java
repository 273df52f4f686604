// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.discovery.RunningDiscoveryPlanner;
import io.sfumato.mechanism.discovery.RunningDiscovery;
import io.sfumato.mechanism.discovery.RunningDiscoveryMechanism;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.NameDrawer;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Names that are counted over the windows of a block.
 *
 * @param spec of the file
 * @param plan the noise, the thresholds and the share
 */
public record PlannedRunningNames(NamesSpec spec, Planned<RunningDiscoveryMechanism> plan)
    implements PlannedRelease, PlannedLists {
  /** With Gaussian noise; nothing if the share affords none. */
  static Optional<PlannedRelease> of(NamesSpec spec) {
    return RunningDiscoveryPlanner.gaussian(
            spec.share().ledger(),
            spec.share().epsilon(),
            spec.share().delta(),
            spec.runningBounds(),
            spec.running().orElseThrow())
        .map(
            found ->
                new PlannedRunningNames(
                    spec,
                    RunningDiscoveryPlanner.planned(
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
  public void digest(Framing digest) {
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
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        "which names enough users have, counted over several windows, with noisy counts",
        pipeline.population(),
        new Basis.Source(
            "Theorem N: names over windows", "our own proof", "names-that-nobody-listed"),
        Basis.ROOT,
        Basis.DISCRETE_NOISE);
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
  public List<Footprint> rows(Pipeline pipeline) {
    return List.of(PlannedNames.row(RunningRow.bytes(discovery())));
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.empty();
  }

  @Override
  public Optional<NameDrawer> names(Pipeline pipeline) {
    return Optional.of(new RunningNamesDrawer(this, pipeline));
  }

  @Override
  public DrawJudge<?> judge() {
    return new RunningNamesJudge(discovery());
  }
}
