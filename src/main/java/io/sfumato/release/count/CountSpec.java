// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.running.Extent;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.CountRelease;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.avro.Schema;

/**
 * Private numbers of records, for every subject and closed window of a population pipeline.
 *
 * @param name of the output
 * @param topic that it is published to
 * @param method what noise is added
 * @param grouping what is counted apart
 * @param running over which windows counts run; empty for the windows' own counts
 * @param over how many last windows are counted together beside; empty for none
 * @param population what one user may add
 * @param share what it may spend
 * @param horizon number of windows of one user and period that the share must cover
 */
public record CountSpec(
    String name,
    String topic,
    Method method,
    Grouping grouping,
    Optional<Extent> running,
    OptionalInt over,
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
    return CountRelease.getClassSchema();
  }

  @Override
  public PlannedRelease plan() throws UnplannableException {
    Optional<? extends PlannedRelease> planned =
        remembers() ? new RowMethods(this).planned() : CountMethods.planned(this);
    return planned.orElseThrow(() -> share.cannotAfford(horizon));
  }

  @Override
  public boolean countsLeftOut() {
    return grouping == Grouping.LEFT_OUT;
  }

  @Override
  public int windowsCounted() {
    int last = over.orElse(1);
    return tree().map(tree -> Math.max(last, tree.windows())).orElse(last);
  }

  /** Whether a window's counts need what was drawn before. */
  @Override
  public boolean remembers() {
    return running.isPresent() || over.isPresent();
  }

  /** Rows of windows' own counts hold earlier ones too. */
  @Override
  public boolean goesByEarlierWindows() {
    return over.isPresent() && running.isEmpty();
  }

  /** What rows are made for: running sums, or else sums of the last windows. */
  Extent extent() {
    return running.orElseGet(() -> new Extent.Last(over.orElse(1)));
  }

  /** The tree that as many windows would have; nothing where counts run for ever, or not at all. */
  Optional<CountTree> tree() {
    return running.flatMap(
        extent ->
            extent instanceof Extent.Until until
                ? Optional.of(new CountTree(until.windows()))
                : Optional.empty());
  }

  @Override
  public int recordsOf(Population users) {
    return countsLeftOut() ? users.leftOut().orElse(1) : users.records();
  }

  /** What the share must afford. */
  public ShareRequest request() {
    return new ShareRequest(share.ledger(), share.epsilon(), share.delta(), horizon);
  }

  /** How far one user's records in one window move the counts. */
  public Sensitivity sensitivityOfOneWindow() {
    return Sensitivity.addOrRemove(recordsOfUser());
  }

  /** Most records of one user and window that it counts, over all subjects. */
  public int recordsOfUser() {
    return recordsOf(population);
  }

  /** Whether the method allows this noise. */
  boolean mayBe(Method noise) {
    return method == noise || method == Method.BEST;
  }

  /** Whether it has one count for each category, not one in all. */
  public boolean isByCategory() {
    return grouping == Grouping.CATEGORY;
  }

  /** The same with other bounds of what a user adds to a window. */
  public CountSpec boundedBy(int records) {
    Population bounded = new Population(population.user(), records, 1);
    return new CountSpec(name, topic, method, grouping, running, over, bounded, share, horizon);
  }
}
