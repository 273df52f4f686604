// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.serde.RejectionCode;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.context.SpentShares;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Counts of this process since it started, of committed transactions alone: what a consumer reads
 * with read_committed.
 */
public final class RunningCounts implements PipelineMeters {
  private static final String ALL = "";

  private final Listener listener;
  private final TickWatch ticks;
  private final KeyedCounts<String> accepted = new KeyedCounts<>();
  private final KeyedCounts<String> unselected = new KeyedCounts<>();
  private final KeyedCounts<String> notEnrolled = new KeyedCounts<>();
  private final KeyedCounts<RejectionCode> rejected = new KeyedCounts<>();
  private final KeyedCounts<String> released = new KeyedCounts<>();
  private final KeyedCounts<Refused> refused = new KeyedCounts<>();
  private final KeyedCounts<Charged> charged = new KeyedCounts<>();
  private final KeyedCounts<String> silent = new KeyedCounts<>();
  private final KeyedCounts<String> learnerFailures = new KeyedCounts<>();
  private final KeyedCounts<String> asked = new KeyedCounts<>();
  private final KeeperPartitions keepers;
  private volatile Optional<SourceTopics> sources = Optional.empty();

  /** Refusals of one output for one reason. */
  public record Refused(String output, String code) implements Comparable<Refused> {
    @Override
    public int compareTo(Refused other) {
      return Comparator.comparing(Refused::output)
          .thenComparing(Refused::code)
          .compare(this, other);
    }
  }

  /** Charges to one share by one mechanism with its parameters. */
  public record Charged(String share, String mechanism) implements Comparable<Charged> {
    @Override
    public int compareTo(Charged other) {
      return Comparator.comparing(Charged::share)
          .thenComparing(Charged::mechanism)
          .compare(this, other);
    }
  }

  /**
   * What a keeper partition waits for that has released all that is this version's.
   *
   * @param version of the file
   * @param from start of the first window that is left to it, milliseconds since 1970
   */
  public record Wait(int version, long from) {}

  /** Is told what is worth a line. */
  public interface Listener {
    /** All sources of a partition have passed a window end. */
    default void passed(int partition, long end) {}

    /** A partition has committed a release. */
    default void released(int partition) {}

    /** A partition is another instance's. */
    default void left(int partition) {}

    /**
     * A partition has released a window.
     *
     * @param end window end through which every subject is released, milliseconds since 1970
     */
    default void closed(int partition, long end) {}

    /** A partition begins to wait for the next version. */
    default void waits(int partition, Wait next) {}

    /** A partition of users was asked to hand over at a window that it has closed. */
    default void announcedTooLate(int partition, Wait next) {}

    /**
     * A partition has deleted open data of so many subjects, or users where these are protected.
     */
    default void forgot(int partition, int names) {}

    /** A tick was refused, the first for this reason for a while. */
    default void tickRefused(RejectionCode code) {}

    /** The first tick is here, and it is another budget's. */
    default void tickOfOtherBudget() {}
  }

  /** Counts alone. */
  public RunningCounts() {
    this(new Listener() {});
  }

  public RunningCounts(Listener listener) {
    this(listener, System::nanoTime);
  }

  RunningCounts(Listener listener, LongSupplier nanos) {
    this.listener = listener;
    this.keepers = new KeeperPartitions(listener);
    this.ticks = new TickWatch(nanos);
  }

  /** Says what is read, so that sources have names. */
  public void reads(SourceTopics topics) {
    sources = Optional.of(topics);
  }

  /** A source by its number, for people. */
  String words(int source) {
    return sources.map(topics -> topics.words(source)).orElse(Integer.toString(source));
  }

  @Override
  public void accepted() {
    accepted.add(ALL, 1);
  }

  @Override
  public void unselected() {
    unselected.add(ALL, 1);
  }

  @Override
  public void rejected(RejectionCode code) {
    rejected.add(code, 1);
    if (TickWatch.isOfTicksAlone(code)) {
      tickRefused(code);
    }
  }

  @Override
  public void tickOutOfRange() {
    tickRefused(RejectionCode.TIME_OUT_OF_RANGE);
  }

  private void tickRefused(RejectionCode code) {
    if (ticks.refused(code)) {
      listener.tickRefused(code);
    }
  }

  /** Ticks that moved no clock, by reason; each is counted as rejected, too. */
  public Map<RejectionCode, Long> refusedTicks() {
    return ticks.refusedTicks();
  }

  @Override
  public void tickTaken(int source, long time) {
    ticks.tickAccepted(source, time);
  }

  @Override
  public void tickOfOtherBudget() {
    if (ticks.ofOtherBudget()) {
      listener.tickOfOtherBudget();
    }
  }

  @Override
  public void released(int partition, String output) {
    released.add(output, 1);
    listener.released(partition);
  }

  @Override
  public void refused(String output, String code) {
    refused.add(new Refused(output, code), 1);
  }

  @Override
  public void charged(String share, String mechanism) {
    charged.add(new Charged(share, mechanism), 1);
  }

  @Override
  public void silent(String output) {
    silent.add(output, 1);
  }

  @Override
  public void notEnrolled(long records) {
    notEnrolled.add(ALL, records);
  }

  @Override
  public void learnerFailed(String output, int times) {
    learnerFailures.add(output, times);
  }

  @Override
  public void queryAccepted(String output, int candidates) {
    asked.add(output, candidates);
  }

  @Override
  public void closed(int partition, long end) {
    keepers.closed(partition, end);
  }

  @Override
  public void resumed(int partition, long end) {
    keepers.update(partition, progress -> progress.withReleased(end));
  }

  @Override
  public void passed(int partition, long foremost, OptionalLong all) {
    keepers.update(partition, progress -> progress.withForemost(foremost));
    all.ifPresent(end -> listener.passed(partition, end));
  }

  @Override
  public void heldBackBy(int partition, int source) {
    keepers.update(partition, progress -> progress.withHeldBackBy(source));
  }

  @Override
  public void spent(int partition, String share, SpentShares now) {
    keepers.spent(partition, share, now);
  }

  @Override
  public void handedOver(int partition, int version, long from) {
    keepers.waits(partition, new Wait(version, from));
  }

  @Override
  public void announcedTooLate(int partition, int version, long from) {
    listener.announcedTooLate(partition, new Wait(version, from));
  }

  @Override
  public void announced(int partition) {
    keepers.resumes(partition);
  }

  @Override
  public void forgot(int partition, int subjects) {
    listener.forgot(partition, subjects);
  }

  @Override
  public void left(int partition) {
    keepers.left(partition);
    listener.left(partition);
  }

  /** Records that count. */
  public long acceptedRecords() {
    return accepted.sum();
  }

  /** Records that the file's filter did not select, and tombstones. */
  public long unselectedRecords() {
    return unselected.sum();
  }

  /** Records of subjects that were not enrolled in their window. */
  public long notEnrolledRecords() {
    return notEnrolled.sum();
  }

  /** Outputs that were released. */
  public long releases() {
    return released.sum();
  }

  /** Releases by output. */
  public Map<String, Long> releasesByOutput() {
    return released.counts();
  }

  /** Releases that were refused. */
  public long refusals() {
    return refused.sum();
  }

  /** Refusals by output and reason. */
  public Map<Refused, Long> refusalsByReason() {
    return refused.counts();
  }

  /** Charges by share and mechanism. */
  public Map<Charged, Long> charges() {
    return charged.counts();
  }

  /** Windows of exhausted subjects that were passed over in silence, by output. */
  public Map<String, Long> silences() {
    return silent.counts();
  }

  /** Fits that a learner did not succeed in, by output. */
  public Map<String, Long> learnerFailures() {
    return learnerFailures.counts();
  }

  /** Candidates of the queries that were taken on, by output. */
  public Map<String, Long> candidates() {
    return asked.counts();
  }

  /** Records and ticks that do not count, by reason. */
  public Map<RejectionCode, Long> rejections() {
    return rejected.counts();
  }

  /** What became of ticks. */
  public TickWatch ticks() {
    return ticks;
  }

  /** Of the keeper partitions that are this instance's. */
  public Map<Integer, ReleaseProgress> partitions() {
    return keepers.progress();
  }

  /** Partitions that wait for the next version, and for which. */
  public Map<Integer, Wait> waiting() {
    return keepers.waiting();
  }

  /** What the subjects of this instance's partitions have spent, by share; only what is known. */
  public Map<String, SpentShares> spent() {
    return keepers.spent();
  }

  /** One line for the console. */
  public String line() {
    return CountsLine.of(this);
  }
}
