// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.abc.Answering;
import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.noise.ReleaseId;

/**
 * One draw as its mechanism sees it: the exact input, and the mechanism with its parameters.
 * Secret; its text names neither input nor subject.
 */
public sealed interface Draw {
  /** What is drawn; no two draws of a run share it. */
  ReleaseId id();

  /** A window's distribution. */
  record OfHistogram(ReleaseId id, HistogramMechanism mechanism, Histogram exact) implements Draw {
    @Override
    public String toString() {
      return Draw.masked(this);
    }
  }

  /** A window's own counts. */
  record OfCounts(ReleaseId id, CountMechanism mechanism, Counts exact) implements Draw {
    @Override
    public String toString() {
      return Draw.masked(this);
    }
  }

  /**
   * A node of a running count's tree.
   *
   * @param since start of the tree's first window
   * @param windows of the tree that are counted so far, this one included, at least 1
   */
  record OfNode(ReleaseId id, CountMechanism mechanism, Counts exact, long since, long windows)
      implements Draw {
    /** Level of the node: it holds 2^level windows. */
    public int level() {
      return Long.numberOfTrailingZeros(windows);
    }

    @Override
    public String toString() {
      return Draw.masked(this);
    }
  }

  /** A synthetic item. */
  record OfItem(ReleaseId id, ItemSampler sampler, ItemData exact) implements Draw {
    @Override
    public String toString() {
      return Draw.masked(this);
    }
  }

  /**
   * An answer to a candidate.
   *
   * @param sensitivity D, for which the answers' noise was made
   * @param candidates T, of the query
   * @param distance exact, not clipped
   */
  record OfAnswer(
      ReleaseId id, Answering answering, double sensitivity, int candidates, double distance)
      implements Draw {
    @Override
    public String toString() {
      return Draw.masked(this);
    }
  }

  private static String masked(Draw draw) {
    return draw.getClass().getSimpleName() + "[masked]";
  }
}
