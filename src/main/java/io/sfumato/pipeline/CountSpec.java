// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.count.CountTree;
import java.util.Optional;

/**
 * Private numbers of records, for every subject and closed window of a population pipeline.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param method what noise is added
 * @param grouping what is counted apart
 * @param running the tree of counts that run over windows; empty for the windows' own counts
 * @param population what one user may add
 * @param share what it may spend
 * @param horizon number of windows of one user and period that the share must cover
 */
public record CountSpec(
    String name,
    String topic,
    Method method,
    Grouping grouping,
    Optional<CountTree> running,
    Population population,
    ShareSpec share,
    long horizon)
    implements ReleaseSpec {

  /** What noise is added. */
  public enum Method {
    /** Discrete Gaussian. */
    GAUSSIAN,
    /** Discrete Laplace. */
    LAPLACE,
    /** The one with the narrower error bars. */
    BEST
  }

  /** What is counted apart. */
  public enum Grouping {
    /** Every category. */
    CATEGORY,
    /** Nothing: all records together. */
    TOTAL,
    /** The records that the bounds of {@code contributions} left out, all together. */
    LEFT_OUT
  }

  /** What the share must afford. */
  ShareRequest request() {
    return new ShareRequest(share.ledger(), share.epsilon(), share.delta(), horizon);
  }

  /** What one window of a user moves. */
  Sensitivity sensitivity() {
    Sensitivity window = sensitivityOfOneWindow();
    return running.map(tree -> tree.perWindow(window, horizon)).orElse(window);
  }

  Sensitivity sensitivityOfOneWindow() {
    return Sensitivity.addOrRemove(recordsOfUser());
  }

  /** Most records of one user and window that it counts, over all subjects. */
  public int recordsOfUser() {
    return grouping == Grouping.LEFT_OUT ? population.leftOut().orElse(1) : population.records();
  }

  /** Whether it has one count for each category, not one in all. */
  public boolean isByCategory() {
    return grouping == Grouping.CATEGORY;
  }

  /** The windows' own counts instead of running ones. */
  CountSpec ofSingleWindows() {
    return new CountSpec(
        name, topic, method, grouping, Optional.empty(), population, share, horizon);
  }

  /** The same with other bounds of what a user adds to a window. */
  CountSpec boundedBy(int records) {
    Population bounded = new Population(population.user(), records, 1);
    return new CountSpec(name, topic, method, grouping, running, bounded, share, horizon);
  }

  /** Noises in a count at most: one a level of the tree. */
  public int mostDraws() {
    return running.map(CountTree::levels).orElse(1);
  }
}
