package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.topology.LocalCopy;
import io.sfumato.topology.LocalState;
import io.sfumato.topology.LocalState.Transaction;
import io.sfumato.topology.OutOfDateException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class LocalCopiesTest {
  private static final long RETENTION = LocalState.DELETIONS_KEPT.toMillis();

  private long now = 1_767_600_000_000L;
  private final Transactions transactions = new Transactions();
  private final LocalCopies copies = new LocalCopies(transactions, () -> now);

  /** As a {@link FencedProducer} does. */
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>() {
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
      };

  @Test
  void shouldTakeNothingThatIsOlderThanHalfOfWhatChangelogsKeep() {
    assertThat(copies.isTooOld(now - RETENTION / 2)).isFalse();
    assertThat(copies.isTooOld(now - RETENTION / 2 - 1)).isTrue();
    copies.deletionsAreKept(Duration.ofHours(1));
    assertThat(copies.isTooOld(now - Duration.ofMinutes(30).toMillis())).isFalse();
    assertThat(copies.isTooOld(now - Duration.ofMinutes(31).toMillis())).isTrue();
  }

  /** Whoever set it back by days may have hidden days. */
  @Test
  void shouldTrustAClockThatWasSetBackOnlySoFar() {
    assertThat(copies.isTooOld(now + Duration.ofHours(1).toMillis())).isFalse();
    assertThat(copies.isTooOld(now + RETENTION / 8 + 1)).isTrue();
  }

  /** A copy that slept reads on behind what is gone: reaching the end does not make it young. */
  @Test
  void shouldNotTakeACopyThatSleptForUpToDateHoweverFarItReads() {
    LocalCopy copy = new LocalCopy("store", 1, now);
    copies.opened(copy);
    now += RETENTION / 4;
    copies.reached(now, Map.of("store", Map.of(1, new LocalCopies.Position(49, 50))));
    assertThat(copy.upToDate()).isEqualTo(now);
    copies.requireUpToDate();

    now += RETENTION / 2 + 1;
    assertThatThrownBy(copies::requireUpToDate).isInstanceOf(OutOfDateException.class);
    copies.reached(now, Map.of("store", Map.of(1, new LocalCopies.Position(80, 80))));
    assertThatThrownBy(copies::requireUpToDate).isInstanceOf(OutOfDateException.class);
    copies.closed(copy);
    copies.requireUpToDate();
  }

  @Test
  void shouldKnowWhichTransactionsWereCommitted() {
    producer.initTransactions();
    Transaction first = copies.transaction();
    producer.beginTransaction();
    assertThat(copies.transaction()).as("written before it began").isSameAs(first);
    assertThat(first.isCommitted()).isFalse();
    producer.commitTransaction();
    assertThat(first.isCommitted()).isTrue();

    Transaction second = copies.transaction();
    producer.beginTransaction();
    producer.abortTransaction();
    Transaction third = copies.transaction();
    producer.beginTransaction();
    producer.commitTransaction();
    assertThat(second.isCommitted()).isFalse();
    assertThat(third.isCommitted()).isTrue();
  }

  /** Nobody aborts what could not be committed: its producer is closed. */
  @Test
  void shouldNotTakeTheNextCommitForThatOfATransactionThatFailed() {
    producer.initTransactions();
    producer.beginTransaction();
    Transaction failed = copies.transaction();
    producer.commitTransactionException = new KafkaException("no");
    assertThatThrownBy(producer::commitTransaction).hasMessage("no");
    producer.commitTransactionException = null;
    producer.commitTransaction();
    assertThat(failed.isCommitted()).isFalse();
  }

  @Test
  void shouldKnowNothingOfTheTransactionsOfOtherThreads() throws Exception {
    producer.initTransactions();
    producer.beginTransaction();
    Transaction[] other = new Transaction[1];
    Thread thread = new Thread(() -> other[0] = copies.transaction());
    thread.start();
    thread.join();
    producer.commitTransaction();
    assertThat(other[0].isCommitted()).isFalse();
  }
}
