// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.mechanism.abc.QueryPlan;
import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.noise.Framing;
import java.util.List;
import java.util.Optional;

/** One output with its parameters. */
public sealed interface PlannedRelease {
  ReleaseSpec spec();

  /** What it may spend, and how that is counted. */
  Share share();

  /** What one release, or one query, costs. */
  Charge charge();

  /**
   * What of it bears on what is released, beside its name, topic, charge and share. States that
   * live were made with these very texts and numbers: they never change.
   */
  void digest(Framing digest);

  /**
   * What earlier programs planned from the same file, at what it truly costs; nothing where they
   * planned the same. A budget that was granted so goes on with it.
   */
  default Optional<PlannedRelease> formerly() {
    return Optional.empty();
  }

  /**
   * A histogram release.
   *
   * @param spec of the file
   * @param plan the candidate with the least expected KL
   * @param candidates the plans among which the method chose, at least one
   */
  record PlannedHistogram(HistogramSpec spec, ReleasePlan plan, List<ReleasePlan> candidates)
      implements PlannedRelease {
    @Override
    public void digest(Framing digest) {
      digest.text(spec.output().canonical()).text(spec.postProcessing().word());
    }

    @Override
    public Share share() {
      return plan.share();
    }

    @Override
    public Charge charge() {
      return plan.mechanism().charge();
    }
  }

  /**
   * Counts.
   *
   * @param spec of the file
   * @param plan the candidate with the narrowest error bars
   * @param candidates the plans among which the method chose, at least one
   * @param former the plan of earlier programs, where it was another
   */
  record PlannedCounts(
      CountSpec spec, CountPlan plan, List<CountPlan> candidates, Optional<CountPlan> former)
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
    }

    @Override
    public Optional<PlannedRelease> formerly() {
      return former.map(plan -> new PlannedCounts(spec, plan, List.of(plan), Optional.empty()));
    }

    @Override
    public Share share() {
      return plan.share();
    }

    @Override
    public Charge charge() {
      return plan.mechanism().charge();
    }
  }

  /**
   * Synthetic items.
   *
   * @param spec of the file
   * @param share that counts items
   * @param sampler of each item
   */
  record PlannedItems(MollifierSpec spec, Share share, ItemSampler sampler)
      implements PlannedRelease {
    @Override
    public void digest(Framing digest) {
      digest.number(spec.items());
    }

    @Override
    public Charge charge() {
      return sampler.charge();
    }
  }

  /**
   * Queries.
   *
   * @param spec of the file
   * @param plan of each query
   */
  record PlannedQueries(AbcSpec spec, QueryPlan plan) implements PlannedRelease {
    @Override
    public void digest(Framing digest) {
      digest
          .text(
              switch (spec.measure()) {
                case FEATURES -> "FEATURES";
                case CATEGORIES -> "CATEGORIES";
              })
          .number(spec.candidates())
          .number(spec.keep())
          .text(spec.waiting().canonical());
    }

    @Override
    public Share share() {
      return plan.share();
    }

    @Override
    public Charge charge() {
      return plan.mechanism().charge();
    }
  }
}
