package io.sfumato.pipeline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.mechanism.abc.QueryPlan;
import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.mechanism.mollifier.ItemSampler;
import java.util.List;

/** One output with its parameters. */
public sealed interface PlannedRelease {
  ReleaseSpec spec();

  /** What it may spend, and how that is counted. */
  Share share();

  /** What one release, or one query, costs. */
  Charge charge();

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
   */
  record PlannedCounts(CountSpec spec, CountPlan plan, List<CountPlan> candidates)
      implements PlannedRelease {
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
    public Share share() {
      return plan.share();
    }

    @Override
    public Charge charge() {
      return plan.mechanism().charge();
    }
  }
}
