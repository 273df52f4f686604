// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * A transaction that is open in a partition. If it hangs, it stays so for ever: its coordinator
 * does not have it any more, so nobody will write the marker that ends it there.
 *
 * @param partition that it is open in
 * @param producer that began it, as the partition's leader describes it
 * @param coordinated what the coordinator says of the producer's transactional id; nothing if no
 *     coordinator that answers has one with this producer: another one may be about to start
 */
public record HangingTransaction(
    TopicPartition partition,
    ProducerState producer,
    Optional<TransactionDescription> coordinated) {
  /** Where operators read what to do. */
  public static final String PAGE = "docs/operate/runbook.md, 'A hanging transaction'";

  /**
   * Whether it hangs. The partition's leader and the coordinator cannot be asked at one moment: who
   * asks must find the same transaction open before and after the coordinator's answer.
   *
   * <p>A transaction may be open for as long as its coordinator lets it live. Its age is that of
   * its newest record, by the record's timestamp. A timestamp that is far from now in either
   * direction is one that producers set, and says nothing about the age.
   *
   * @param longest that a transaction lives if no coordinator says so
   * @param now milliseconds since 1970
   */
  boolean isHanging(Duration longest, long now) {
    long limit =
        coordinated.map(TransactionDescription::transactionTimeoutMs).orElse(longest.toMillis());
    return producer.currentTransactionStartOffset().isPresent()
        && Math.abs(now - producer.lastTimestamp()) > limit
        && coordinated.filter(this::isStillToEnd).isEmpty();
  }

  /** Whether the coordinator still has to end this transaction in this partition. */
  private boolean isStillToEnd(TransactionDescription known) {
    boolean isAmong =
        known.producerId() == producer.producerId() && known.topicPartitions().contains(partition);
    return switch (known.state()) {
      case ONGOING -> isAmong && known.producerEpoch() == producer.producerEpoch();
      // Its markers carry the next epoch, which the coordinator has by then.
      case PREPARE_COMMIT, PREPARE_ABORT, PREPARE_EPOCH_FENCE -> isAmong;
      case COMPLETE_COMMIT, COMPLETE_ABORT, EMPTY -> false;
      // Of a newer Kafka: nothing is claimed.
      case UNKNOWN -> true;
    };
  }

  /** The same with what coordinators say, by producer. */
  HangingTransaction coordinatedBy(Map<Long, TransactionDescription> known) {
    return new HangingTransaction(
        partition, producer, Optional.ofNullable(known.get(producer.producerId())));
  }

  /** Whether another look found the same one. */
  boolean isSame(HangingTransaction other) {
    return partition.equals(other.partition)
        && producer.producerId() == other.producer.producerId()
        && producer
            .currentTransactionStartOffset()
            .equals(other.producer.currentTransactionStartOffset());
  }

  /** Which one it is, without its topic, and what became of it elsewhere. */
  public String words() {
    return "partition %d: producer id %d, from offset %d on, %s"
        .formatted(
            partition.partition(),
            producer.producerId(),
            producer.currentTransactionStartOffset().orElseThrow(),
            coordinated
                .map(known -> "its coordinator is at " + known.state())
                .orElse("unknown to every coordinator that answers; look again in a minute"));
  }
}
