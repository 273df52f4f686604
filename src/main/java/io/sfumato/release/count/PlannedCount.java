// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.history.Past;
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
import io.sfumato.pipeline.WindowJudge;
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
public record PlannedCount(
    CountSpec spec,
    Planned<CountMechanism> plan,
    List<Planned<CountMechanism>> candidates,
    Optional<Planned<CountMechanism>> former)
    implements PlannedRelease {
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
    if (spec.learns()) {
      digest.text(CountReader.HISTORY);
    }
  }

  @Override
  public List<PlannedRelease> formerly() {
    return former.stream()
        .<PlannedRelease>map(plan -> new PlannedCount(spec, plan, List.of(plan), Optional.empty()))
        .toList();
  }

  /** Other counts tell nothing of shares, or are about other windows too. */
  @Override
  public boolean canBeAsked() {
    return spec.isByCategory() && spec.running().isEmpty();
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return new CountReport(pipeline, this);
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    if (spec.learns()) {
      out.list("categories")
          .list("estimates")
          .list("error_95")
          .list("noisy_counts")
          .whole("learned_from")
          .decimal("example_left_out");
      return List.of(counted(out, pipeline, 2 * out.ofDecimal() + out.ofWhole()));
    }
    out.time("since")
        .list("categories")
        .list("counts")
        .whole("error_95")
        .decimal("example_left_out");
    return List.of(counted(out, pipeline, out.ofWhole()));
  }

  private Part counted(OutputBytes out, Pipeline pipeline, long each) {
    return spec.isByCategory()
        ? out.ofCategories(pipeline.input(), each)
        : Part.of("input.categories", 1, each);
  }

  /** What a subject's earlier releases come to. */
  private List<Footprint> history(int groups) {
    Part part =
        new Part(
            "input.categories",
            groups,
            Past.bytes(groups) - Past.bytes(0),
            "'%s' without 'post-processing: history'".formatted(spec.name()));
    long fixed = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + Past.bytes(0);
    return List.of(new Footprint(Footprint.Kind.ROW, "running-store", fixed, List.of(part)));
  }

  /** For each one of the binary number of windows a node: exact counts, and noisy ones. */
  @Override
  public List<Footprint> rows(Pipeline pipeline) {
    int groups = spec.isByCategory() ? pipeline.input().allCategories().size() : 1;
    if (spec.learns()) {
      return history(groups);
    }
    if (spec.running().isEmpty()) {
      return List.of();
    }
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
    if (spec.learns()) {
      return Optional.of(new LearningCountDrawer(this, pipeline.window().size().toMillis()));
    }
    return Optional.of(
        spec.running().isPresent()
            ? new RunningCountDrawer(this, pipeline.window().size().toMillis())
            : new CountDrawer(this));
  }

  @Override
  public DrawJudge<Counts> judge() {
    return spec.running().isPresent() ? new NodeJudge() : new WindowJudge<>(Counts::values);
  }
}
