// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import io.sfumato.gate.Gate;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.StateEpoch;
import io.sfumato.gate.Witness;
import io.sfumato.serde.SchemaSource;
import java.util.function.Supplier;

/**
 * What a topology needs beyond its plan.
 *
 * @param sources the records' topics; a window closes when every partition of each has passed it
 * @param noiseKey from which every release is drawn
 * @param meters for the operator
 * @param jumps whether a silence may last more than {@code max-jump} windows under a roster
 * @param holds releases that failed in this process
 * @param schemas of records that name theirs by an id
 * @param epochs where new state epochs come from; random outside tests
 * @param orders what operators said about the records' topics; asked whenever a task begins to
 *     work, since an instance that was cut off knows nothing of what was said meanwhile
 * @param memory for open datasets, shared by all partitions of this instance
 * @param counts takes the counts of committed charges of this instance's partitions
 * @param watch how it is looked at; not at all outside the audit and tests
 */
public record Deployment(
    SourceTopics sources,
    NoiseKey noiseKey,
    PipelineMeters meters,
    JumpPolicy jumps,
    HeldReleases holds,
    SchemaSource schemas,
    Supplier<StateEpoch> epochs,
    Supplier<OperatorOrders> orders,
    OpenMemory memory,
    ChargeCounts counts,
    Watch watch) {

  /** Unwatched, at the pace of its threads, with the usual part of the heap. */
  public Deployment(
      SourceTopics sources,
      NoiseKey noiseKey,
      PipelineMeters meters,
      JumpPolicy jumps,
      HeldReleases holds,
      SchemaSource schemas,
      Supplier<StateEpoch> epochs) {
    this(
        sources,
        noiseKey,
        meters,
        jumps,
        holds,
        schemas,
        epochs,
        OperatorOrders::none,
        OpenMemory.ofHeap(),
        new ChargeCounts(),
        Watch.NONE);
  }

  /** The deployment of a production run. */
  public static Deployment of(SourceTopics sources, NoiseKey noiseKey, PipelineMeters meters) {
    return new Deployment(
        sources,
        noiseKey,
        meters,
        JumpPolicy.STOP,
        new HeldReleases(),
        SchemaSource.none(),
        StateEpoch::random);
  }

  /** Number of partitions of every journal. */
  public int journalPartitions() {
    return sources.journalPartitions();
  }

  /** Through which everything is drawn. */
  public Gate gate() {
    return new Gate(noiseKey, watch.witness());
  }

  /** The same with other meters. */
  public Deployment with(PipelineMeters others) {
    return copy(others, jumps, schemas, orders, memory, watch);
  }

  /** The same with another answer to clocks that jump. */
  public Deployment with(JumpPolicy policy) {
    return copy(meters, policy, schemas, orders, memory, watch);
  }

  /** The same with schemas of a registry. */
  public Deployment with(SchemaSource source) {
    return copy(meters, jumps, source, orders, memory, watch);
  }

  /**
   * The same under orders of operators.
   *
   * @param orders throws {@link SkippedUnknownException} if it cannot know
   */
  public Deployment under(Supplier<OperatorOrders> orders) {
    return copy(meters, jumps, schemas, orders, memory, watch);
  }

  /** The same with other memory for open datasets. */
  public Deployment with(OpenMemory open) {
    return copy(meters, jumps, schemas, orders, open, watch);
  }

  /**
   * For the audit and tests alone: who hears of every draw, and where slices are cut. Stores forget
   * everything when they are closed, and of all that they held ledgers alone are logged, where the
   * audit finds those of periods that are over.
   */
  public Deployment watchedBy(Witness watching, Supplier<Slices> cut) {
    return watchedBy(watching, cut, StoreContents.NONE);
  }

  /** The same, with what another program has left in the stores. */
  public Deployment watchedBy(Witness watching, Supplier<Slices> cut, StoreContents contents) {
    return copy(
        meters,
        jumps,
        schemas,
        orders,
        memory,
        new Watch(watching, cut, Storage.IN_MEMORY, contents));
  }

  private Deployment copy(
      PipelineMeters operator,
      JumpPolicy policy,
      SchemaSource source,
      Supplier<OperatorOrders> said,
      OpenMemory open,
      Watch watching) {
    return new Deployment(
        sources, noiseKey, operator, policy, holds, source, epochs, said, open, counts, watching);
  }

  /**
   * How a run is looked at.
   *
   * @param witness is told of every draw
   * @param slices where each keeper's work is cut
   * @param storage where stores keep what they hold
   * @param contents what stores in memory begin with
   */
  public record Watch(
      Witness witness, Supplier<Slices> slices, Storage storage, StoreContents contents) {
    /** With stores that begin empty. */
    public Watch(Witness witness, Supplier<Slices> slices, Storage storage) {
      this(witness, slices, storage, StoreContents.NONE);
    }

    /** Nobody is told, the pace of each thread cuts, and stores keep what they hold. */
    public static final Watch NONE =
        new Watch(Witness.NONE, () -> ThreadProgress.ofThisThread().turns(), Storage.ON_DISK);
  }

  /** Where stores keep what they hold. */
  public enum Storage {
    ON_DISK,
    IN_MEMORY
  }

  /**
   * What to do when a roster's clock jumps over more windows than the pipeline file allows, because
   * nobody wrote for so long. What a record claims beyond its Kafka timestamp is never accepted.
   */
  public enum JumpPolicy {
    STOP,
    CLOSE_ALL
  }
}
