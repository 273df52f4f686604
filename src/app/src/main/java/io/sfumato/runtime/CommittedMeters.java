// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.serde.RejectionCode;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SpentShares;
import java.util.OptionalLong;

/**
 * Counts what committed transactions did: what an aborted attempt did is never counted. That a
 * partition has released a window is passed on after its releases; how far it has read, at once.
 */
final class CommittedMeters implements PipelineMeters {
  private final PipelineMeters meters;
  private final Transactions transactions;

  CommittedMeters(PipelineMeters meters, Transactions transactions) {
    this.meters = meters;
    this.transactions = transactions;
  }

  @Override
  public void accepted() {
    transactions.afterCommit(meters::accepted);
  }

  @Override
  public void unselected() {
    transactions.afterCommit(meters::unselected);
  }

  @Override
  public void observed(int records) {
    transactions.afterCommit(() -> meters.observed(records));
  }

  @Override
  public void rejected(RejectionCode code) {
    transactions.afterCommit(() -> meters.rejected(code));
  }

  @Override
  public void tickOutOfRange() {
    transactions.afterCommit(meters::tickOutOfRange);
  }

  @Override
  public void tickTaken(int source, long time) {
    transactions.afterCommit(() -> meters.tickTaken(source, time));
  }

  @Override
  public void tickOfOtherBudget() {
    transactions.afterCommit(meters::tickOfOtherBudget);
  }

  @Override
  public void released(int partition, String output) {
    transactions.afterCommit(() -> meters.released(partition, output));
  }

  @Override
  public void charged(String share, String mechanism) {
    transactions.afterCommit(() -> meters.charged(share, mechanism));
  }

  @Override
  public void queryAccepted(String output, int candidates) {
    transactions.afterCommit(() -> meters.queryAccepted(output, candidates));
  }

  @Override
  public void refused(String output, String code) {
    transactions.afterCommit(() -> meters.refused(output, code));
  }

  @Override
  public void silent(String output) {
    transactions.afterCommit(() -> meters.silent(output));
  }

  @Override
  public void learnerFailed(String output, int times) {
    transactions.afterCommit(() -> meters.learnerFailed(output, times));
  }

  @Override
  public void notEnrolled(long records) {
    transactions.afterCommit(() -> meters.notEnrolled(records));
  }

  @Override
  public void closed(int partition, long end) {
    transactions.onceCommitted(() -> meters.closed(partition, end));
  }

  @Override
  public void resumed(int partition, long end) {
    meters.resumed(partition, end);
  }

  @Override
  public void handedOver(int partition, int version, long from) {
    meters.handedOver(partition, version, from);
  }

  @Override
  public void announcedTooLate(int partition, int version, long from) {
    meters.announcedTooLate(partition, version, from);
  }

  @Override
  public void announced(int partition) {
    meters.announced(partition);
  }

  @Override
  public void forgot(int partition, int subjects) {
    meters.forgot(partition, subjects);
  }

  @Override
  public void heldBackBy(int partition, int source) {
    meters.heldBackBy(partition, source);
  }

  @Override
  public void spent(int partition, String share, SpentShares spent) {
    meters.spent(partition, share, spent);
  }

  @Override
  public void passed(int partition, long foremost, OptionalLong all) {
    meters.passed(partition, foremost, all);
  }

  @Override
  public void left(int partition) {
    meters.left(partition);
  }
}
