// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer whose every transaction carries an offset, so that the group coordinator refuses it
 * unless its instance is still a member of the current generation.
 *
 * <p>Under exactly_once_v2 nothing else fences one instance from another: each has a transactional
 * id of its own, and a generation is checked only where an offset is committed. Kafka Streams
 * commits none for a task that has processed no record since it started ({@code
 * StreamTask.committableOffsetsAndMetadata}), which releases by punctuation all the same: such an
 * instance, stopped past its session and woken after another has taken over, would commit charges
 * computed from ledgers that have moved on. Here it commits again where it stands.
 *
 * <p>That closes the gap: all records of a transaction are acknowledged before its offsets are
 * sent, so whoever gets the partitions in a later generation finds them in front of the changelogs'
 * ends, and restores nothing before that transaction has ended.
 */
class FencedProducer extends KafkaProducer<byte[], byte[]> {
  private final Supplier<Consumer<byte[], byte[]>> member;
  private final Transactions transactions;
  private End unanswered = End.NONE;

  /** How a transaction was to end when the cluster did not answer in time. */
  private enum End {
    NONE,
    COMMIT,
    ABORT
  }

  /**
   * @param member consumer of the same thread: the member of the group
   * @param transactions is told what becomes of this thread's
   */
  FencedProducer(
      Map<String, Object> config,
      Supplier<Consumer<byte[], byte[]>> member,
      Transactions transactions) {
    super(TransactionalIds.narrowed(config), new ByteArraySerializer(), new ByteArraySerializer());
    this.member = member;
    this.transactions = transactions;
  }

  @Override
  public void initTransactions() {
    transactions.prepare(super::initTransactions);
  }

  /**
   * Begins one. Kafka Streams passes over an abort that is not answered in time and goes on with
   * this producer, which then takes nothing but the same call again.
   *
   * @throws TimeoutException if the end of the one before is not answered: a new producer is needed
   */
  @Override
  public void beginTransaction() {
    if (unanswered == End.ABORT) {
      abortTransaction();
    }
    requireAnswered();
    super.beginTransaction();
    transactions.begin();
  }

  @Override
  public void commitTransaction() {
    transactions.commit(() -> end(End.COMMIT, super::commitTransaction));
  }

  /**
   * @throws TimeoutException also if a commit is not answered, since it may have been done
   */
  @Override
  public void abortTransaction() {
    transactions.giveUp();
    if (unanswered == End.COMMIT) {
      requireAnswered();
    }
    end(End.ABORT, super::abortTransaction);
  }

  private void end(End how, Runnable call) {
    try {
      call.run();
      unanswered = End.NONE;
    } catch (TimeoutException e) {
      unanswered = how;
      throw e;
    }
  }

  private void requireAnswered() {
    if (unanswered != End.NONE) {
      throw new TimeoutException("the end of a transaction was not answered in time");
    }
  }

  @Override
  public void close(Duration timeout) {
    transactions.giveUp();
    super.close(timeout);
  }

  /**
   * @throws CommitFailedException if this instance is no member of the group's current generation
   */
  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
    // Without a member's id the coordinator takes offsets of transactions unchecked.
    if (group.generationId() < 0 || group.memberId().isEmpty()) {
      throw new CommitFailedException("a transaction of no member of the group");
    }
    flush();
    super.sendOffsetsToTransaction(offsets.isEmpty() ? standing() : offsets, group);
  }

  /** The committed offsets of what this thread reads. */
  private Map<TopicPartition, OffsetAndMetadata> standing() {
    Consumer<byte[], byte[]> reader = member.get();
    Map<TopicPartition, OffsetAndMetadata> offsets =
        new HashMap<>(reader.committed(reader.assignment()));
    offsets.values().removeIf(Objects::isNull);
    if (offsets.isEmpty()) {
      throw new CommitFailedException("a transaction of a member that owns nothing");
    }
    return offsets;
  }
}
