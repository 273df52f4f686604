// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.history.Past;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowJudge;
import java.util.List;
import java.util.Optional;

/**
 * Counts.
 *
 * @param spec of the file
 * @param tree that running ones are made of; empty for the windows' own counts
 * @param plan the candidate with the narrowest error bars
 * @param candidates the plans among which the method chose, at least one
 */
public record PlannedCount(
    CountSpec spec,
    Optional<CountTree> tree,
    Planned<CountMeasurement<CountQuery>> plan,
    List<Planned<CountMeasurement<CountQuery>>> candidates)
    implements PlannedRelease {
  private static final Basis.Source TREE =
      new Basis.Source(
          "Theorem E: a binary tree of windows",
          "Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011",
          "populations-unit-user");

  @Override
  public void digest(Framing digest) {
    digest
        .text(
            switch (spec.grouping()) {
              case CATEGORY -> "CATEGORY";
              case TOTAL -> "TOTAL";
              case LEFT_OUT -> "LEFT_OUT";
            })
        .number(tree.map(CountTree::windows).orElse(0));
    if (spec.learns()) {
      digest.text(CountReader.HISTORY);
    }
  }

  /** Other counts tell nothing of shares, or are about other windows too. */
  @Override
  public boolean canBeAsked() {
    return spec.isByCategory() && tree.isEmpty();
  }

  @Override
  public Basis basis(Pipeline pipeline) {
    String counted = spec.counted();
    return tree.isPresent()
        ? Basis.of(
            counted + ", since the count began", pipeline.population(), TREE, Basis.DISCRETE_NOISE)
        : Basis.of(counted, pipeline.population(), Basis.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new CountReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    Caps caps = CountWriter.caps(spec, pipeline);
    int groups = CountWriter.groups(spec, pipeline);
    return spec.learns()
        ? caps.items("estimates", groups).items("error_95", groups).items("noisy_counts", groups)
        : caps;
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
    if (tree.isEmpty()) {
      return List.of();
    }
    int nodes = 31 - Integer.numberOfLeadingZeros(tree.get().windows() + 1);
    long fixed =
        Bytes.text(spec.name())
            + FieldLimits.SUBJECT
            + 1
            + Bytes.SIGNED
            + Bytes.text(spec.told())
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
      return Optional.of(new LearningCountDrawer(this, pipeline));
    }
    return Optional.of(
        tree.isPresent()
            ? new TreeDrawer(this, tree.get(), pipeline.window().size().toMillis())
            : new CountDrawer(this));
  }

  @Override
  public DrawJudge<ExactVector> judge() {
    return tree.isPresent() ? new TreeJudge() : new WindowJudge<>(ExactVector::values);
  }

  /** Noises in a count at most: one a level of the tree. */
  int mostDraws() {
    return tree.map(CountTree::levels).orElse(1);
  }

  /** Root mean square error of running counts over the windows of the tree. */
  double rootMeanSquare() {
    return plan.mechanism().noise().deviation() * Math.sqrt(tree.orElseThrow().meanDraws());
  }
}
