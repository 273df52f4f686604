// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.HistoryCountRelease;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Private numbers of records, for every subject and closed window of a population pipeline.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param method what noise is added
 * @param grouping what is counted apart
 * @param running the tree of counts that run over windows; empty for the windows' own counts
 * @param reach from which releases the windows' own counts are made
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
    Reach reach,
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

  @Override
  public Schema schema() {
    return learns() ? HistoryCountRelease.getClassSchema() : CountRelease.getClassSchema();
  }

  @Override
  public boolean learns() {
    return reach == Reach.HISTORY;
  }

  @Override
  public boolean remembers() {
    return learns() || windowsCounted() > 1;
  }

  /** What is learned is of another make than what other outputs of its name may have left. */
  @Override
  public String memory() {
    return learns() ? "history of " + name : name;
  }

  @Override
  public PlannedCount plan() throws UnplannableException {
    List<Planned<CountMechanism>> candidates = CountMethods.candidates(this);
    if (candidates.isEmpty()) {
      throw share.cannotAfford(horizon);
    }
    Planned<CountMechanism> best = candidates.get(0);
    return new PlannedCount(this, best, candidates, CountMethods.former(this, best));
  }

  @Override
  public boolean countsLeftOut() {
    return grouping == Grouping.LEFT_OUT;
  }

  @Override
  public int windowsCounted() {
    return running.map(CountTree::windows).orElse(1);
  }

  @Override
  public int recordsOf(Population users) {
    return countsLeftOut() ? users.leftOut().orElse(1) : users.records();
  }

  /** What the share must afford. */
  public ShareRequest request() {
    return new ShareRequest(share.ledger(), share.epsilon(), share.delta(), horizon);
  }

  /** What one window of a user moves. */
  public Sensitivity sensitivity() {
    Sensitivity window = sensitivityOfOneWindow();
    return running.map(tree -> tree.perWindow(window, horizon)).orElse(window);
  }

  /** How far one user's records in one window move the counts. */
  public Sensitivity sensitivityOfOneWindow() {
    return Sensitivity.addOrRemove(recordsOfUser());
  }

  /** Most records of one user and window that it counts, over all subjects. */
  public int recordsOfUser() {
    return recordsOf(population);
  }

  /** Whether it has one count for each category, not one in all. */
  public boolean isByCategory() {
    return grouping == Grouping.CATEGORY;
  }

  /** The windows' own counts instead of running ones. */
  public CountSpec ofSingleWindows() {
    return new CountSpec(
        name, topic, method, grouping, Optional.empty(), reach, population, share, horizon);
  }

  /** The same with other bounds of what a user adds to a window. */
  public CountSpec boundedBy(int records) {
    Population bounded = new Population(population.user(), records, 1);
    return new CountSpec(name, topic, method, grouping, running, reach, bounded, share, horizon);
  }

  /** Noises in a count at most: one a level of the tree. */
  public int mostDraws() {
    return running.map(CountTree::levels).orElse(1);
  }
}
