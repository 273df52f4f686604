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
    transactions.giveUp();
    super.initTransactions();
  }

  @Override
  public void beginTransaction() {
    super.beginTransaction();
    transactions.begin();
  }

  @Override
  public void commitTransaction() {
    transactions.commit(super::commitTransaction);
  }

  @Override
  public void abortTransaction() {
    transactions.giveUp();
    super.abortTransaction();
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
