// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseReport;
import java.util.List;
import java.util.Optional;

/**
 * Counts.
 *
 * @param spec of the file
 * @param plan the candidate with the narrowest error bars
 * @param candidates the plans among which the method chose, at least one
 * @param former the plan of earlier programs, where it was another
 */
public record PlannedCounts(
    CountSpec spec, CountPlan plan, List<CountPlan> candidates, Optional<CountPlan> former)
    implements PlannedRelease {
  @Override
  public Share share() {
    return plan.share();
  }

  @Override
  public Charge charge() {
    return plan.mechanism().charge();
  }

  @Override
  public void digest(Framing digest) {
    digest
        .text(
            switch (spec.grouping()) {
              case CATEGORY -> "CATEGORY";
              case TOTAL -> "TOTAL";
              case LEFT_OUT -> "LEFT_OUT";
            })
        .number(spec.running().map(CountTree::windows).orElse(0));
  }

  @Override
  public Optional<PlannedRelease> formerly() {
    return former.map(plan -> new PlannedCounts(spec, plan, List.of(plan), Optional.empty()));
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return new CountReport(pipeline, this);
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    out.time("since")
        .list("categories")
        .list("counts")
        .whole("error_95")
        .decimal("example_left_out");
    return List.of(
        spec.isByCategory()
            ? out.ofCategories(pipeline.input(), out.ofWhole())
            : Part.of("input.categories", 1, out.ofWhole()));
  }

  /** For each one of the binary number of windows a node: exact counts, and noisy ones. */
  @Override
  public List<Footprint> rows(Pipeline pipeline) {
    if (spec.running().isEmpty()) {
      return List.of();
    }
    int groups = spec.isByCategory() ? pipeline.input().allCategories().size() : 1;
    int nodes = 31 - Integer.numberOfLeadingZeros(spec.running().get().windows() + 1);
    long fixed =
        Bytes.text(spec.name())
            + FieldLimits.SUBJECT
            + 1
            + Bytes.SIGNED
            + Bytes.UNSIGNED
            + 1
            + 2L * nodes * Bytes.unsigned(groups);
    long counts = 2L * nodes * groups * Bytes.SIGNED;
    Part part =
        new Part(
            "input.categories",
            groups,
            counts,
            "a smaller 'running' of '%s', or its 'by: total'".formatted(spec.name()));
    return List.of(new Footprint(Footprint.Kind.ROW, "running-store", fixed, List.of(part)));
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(
        spec.running().isPresent()
            ? new RunningCountDrawer(this, pipeline.window().size().toMillis())
            : new CountDrawer(this));
  }

  @Override
  public List<DrawJudge<?>> judges() {
    return List.of(spec.running().isPresent() ? new NodeJudge() : new CountJudge());
  }
}
