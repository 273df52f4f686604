// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Part;
import io.sfumato.pipeline.WindowLossChecker;
import io.sfumato.random.CanonicalEncoder;
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
    Calibrated<CountMeasurement<CountQuery>> plan,
    List<Calibrated<CountMeasurement<CountQuery>>> candidates)
    implements PlannedRelease {
  private static final PrivacyRationale.Source TREE =
      new PrivacyRationale.Source(
          "Theorem E: a binary tree of windows",
          "Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011",
          "theory/running-sums.md#theorem-e-binary-tree");

  @Override
  public void digest(CanonicalEncoder digest) {
    digest
        .text(
            switch (spec.grouping()) {
              case CATEGORY -> "CATEGORY";
              case TOTAL -> "TOTAL";
              case LEFT_OUT -> "LEFT_OUT";
            })
        .number(tree.map(CountTree::windows).orElse(0));
    if (spec.usesHistory()) {
      digest.text(CountReader.HISTORY);
    }
  }

  /** Other counts tell nothing of shares, or are about other windows too. */
  @Override
  public boolean hasLikelihood() {
    return spec.isByCategory() && tree.isEmpty();
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    String counted = spec.counted();
    return tree.isPresent()
        ? PrivacyRationale.of(
            counted + ", since the count began",
            pipeline.population(),
            TREE,
            PrivacyRationale.DISCRETE_NOISE)
        : PrivacyRationale.of(counted, pipeline.population(), PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new CountReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    Caps caps = CountWriter.caps(spec, pipeline);
    int groups = CountWriter.groups(spec, pipeline);
    return spec.usesHistory()
        ? caps.items("estimates", groups).items("error_95", groups).items("noisy_counts", groups)
        : caps;
  }

  /** What a subject's earlier releases come to. */
  private List<SizeBound> history(int groups) {
    Part part =
        new Part(
            "input.categories",
            groups,
            ReleaseHistory.bytes(groups) - ReleaseHistory.bytes(0),
            "'%s' without 'post-processing: history'".formatted(spec.name()));
    long fixed = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + ReleaseHistory.bytes(0);
    return List.of(new SizeBound(SizeBound.Kind.ROW, "running-store", fixed, List.of(part)));
  }

  /** For each one of the binary number of windows a node: exact counts, and noisy ones. */
  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    int groups = spec.isByCategory() ? pipeline.input().allCategories().size() : 1;
    if (spec.usesHistory()) {
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
    return List.of(new SizeBound(SizeBound.Kind.ROW, "running-store", fixed, List.of(part)));
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    if (spec.usesHistory()) {
      return Optional.of(new LearningCountSampler(this, pipeline));
    }
    return Optional.of(
        tree.isPresent()
            ? new TreeSampler(this, tree.get(), pipeline.window().grid())
            : new CountSampler(this));
  }

  @Override
  public LossChecker<ExactVector> lossChecker() {
    return tree.isPresent() ? new TreeLossChecker() : new WindowLossChecker<>(ExactVector::values);
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
