// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.gate.RunningMemory;
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

  private static final PrivacyRationale.Source DISTINCT =
      new PrivacyRationale.Source(
          "Theorem S: counts of distinct users",
          "our own proof",
          "theory/bounded-users.md#theorem-s-distinct-users");

  @Override
  public void digest(CanonicalEncoder digest) {
    digest
        .text(
            switch (spec.grouping()) {
              case CATEGORY -> "CATEGORY";
              case TOTAL -> "TOTAL";
              case LEFT_OUT -> "LEFT_OUT";
              case BEYOND -> "BEYOND";
            })
        .number(tree.map(CountTree::windows).orElse(0));
    if (spec.usesHistory()) {
      digest.text(CountReader.HISTORY);
    }
    spec.users()
        .ifPresent(
            users ->
                digest
                    .text("USERS")
                    .number(users.cells().ofWindow())
                    .number(users.last().orElse(1))
                    .number(users.row().orElse(0)));
  }

  /** Other counts tell nothing of shares, or are about other windows too. */
  @Override
  public boolean hasLikelihood() {
    return spec.isByCategory() && tree.isEmpty() && spec.users().isEmpty();
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    String counted = spec.counted();
    if (spec.users().isPresent()) {
      return PrivacyRationale.of(
          counted, pipeline.population(), DISTINCT, PrivacyRationale.DISCRETE_NOISE);
    }
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

  /**
   * What rows of sums are of. Of users they also say by which charge: a version with other bounds
   * never draws what those before let a user add.
   */
  String told(Pipeline pipeline) {
    return pipeline.population().isPresent()
        ? RunningMemory.termsOf(charge().mechanism(), spec.told())
        : spec.told();
  }

  /** Of each cell and each of the last windows how many users had it as their last. */
  private List<SizeBound> lastUsers(Pipeline pipeline, int groups) {
    long last = spec.over().last().orElseThrow();
    long fixed =
        Bytes.text(spec.name())
            + FieldLimits.SUBJECT
            + 1
            + Bytes.SIGNED
            + Bytes.text(told(pipeline))
            + 3L * Bytes.UNSIGNED;
    Part part =
        new Part(
            "input.categories",
            groups,
            groups * last * Bytes.UNSIGNED,
            "a smaller 'over' of '%s', or its 'by: total'".formatted(spec.name()));
    return List.of(new SizeBound(SizeBound.Kind.ROW, "running-store", fixed, List.of(part)));
  }

  /** For each one of the binary number of windows a node: exact counts, and noisy ones. */
  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    int groups = spec.isByCategory() ? pipeline.input().allCategories().size() : 1;
    if (spec.usesHistory()) {
      return history(groups);
    }
    if (spec.countsLastUsers()) {
      return lastUsers(pipeline, groups);
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
            + Bytes.text(told(pipeline))
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
    if (spec.countsLastUsers()) {
      return Optional.of(new LastUsersSampler(this, pipeline));
    }
    return Optional.of(
        tree.isPresent()
            ? new TreeSampler(this, tree.get(), pipeline)
            : new CountSampler(this, pipeline));
  }

  @Override
  public LossChecker<ExactVector> lossChecker() {
    if (spec.users().isPresent()) {
      return new UsersLossChecker(spec.users().get());
    }
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
