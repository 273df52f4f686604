// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.topology.context.LocalCopy;
import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.LocalState.Transaction;
import io.sfumato.topology.context.OutOfDateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class LocalCopiesTest {
  private static final long RETENTION = LocalState.DELETIONS_KEPT.toMillis();

  private static final LocalCopies.Place PLACE = new LocalCopies.Place("store", 1);

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
  void shouldNotTakeACopyThatSleptForUpToDateHoweverFarItReads() throws RefusedException {
    LocalCopy copy = new LocalCopy("store", 1, now);
    copies.opened(copy);
    now += RETENTION / 4;
    copies.reached(now, Map.of(PLACE, new LocalCopies.Position(49, 50)), places -> Set.of());
    assertThat(copy.upToDate()).isEqualTo(now);
    copies.requireUpToDate();

    now += RETENTION / 2 + 1;
    assertThatThrownBy(copies::requireUpToDate).isInstanceOf(OutOfDateException.class);
    copies.reached(now, Map.of(PLACE, new LocalCopies.Position(80, 80)), Map::keySet);
    assertThatThrownBy(copies::requireUpToDate).isInstanceOf(OutOfDateException.class);
    copies.closed(copy);
    copies.requireUpToDate();
  }

  /** What was aborted lies at the end of its changelog, and no copy ever counts it. */
  @Test
  void shouldKeepACopyThatHasNothingToRead() throws RefusedException {
    LocalCopy copy = new LocalCopy("store", 1, now);
    copies.opened(copy);
    long start = now;
    for (int day = 1; day <= 14; day++) {
      now = start + Duration.ofDays(day).toMillis();
      copies.reached(now, Map.of(PLACE, new LocalCopies.Position(40, 50)), Map::keySet);
      copies.requireUpToDate();
    }
    assertThat(now - copy.upToDate()).isLessThanOrEqualTo(RETENTION / 8);
  }

  @Test
  void shouldAskChangelogsOnlyOfCopiesThatHaveLongStoodBehind() throws RefusedException {
    LocalCopy copy = new LocalCopy("store", 1, now);
    copies.opened(copy);
    copies.opened(new LocalCopy("other", 1, now));
    List<Set<LocalCopies.Place>> asked = new ArrayList<>();
    long start = now;
    for (int part = 1; part <= 4; part++) {
      now = start + part * (RETENTION / 16);
      copies.reached(
          now,
          Map.of(
              PLACE,
              new LocalCopies.Position(40, 50),
              new LocalCopies.Place("other", 1),
              new LocalCopies.Position(9, 9)),
          places -> {
            asked.add(places.keySet());
            return Set.of();
          });
    }
    assertThat(asked).containsExactly(Set.of(PLACE), Set.of(PLACE));
    assertThat(copy.upToDate()).as("there is something that it has not read").isEqualTo(start);
  }

  @Test
  void shouldRebuildACopyThatHasLongLeftSomethingUnread() throws RefusedException {
    copies.opened(new LocalCopy("store", 1, now));
    long start = now;
    for (int day = 1; day <= 3; day++) {
      now = start + Duration.ofDays(day).toMillis();
      copies.reached(now, Map.of(PLACE, new LocalCopies.Position(40, 50)), places -> Set.of());
      copies.requireUpToDate();
    }
    now = start + RETENTION / 2 + 1;
    assertThatThrownBy(copies::requireUpToDate).isInstanceOf(OutOfDateException.class);
    copies.reached(now, Map.of(PLACE, new LocalCopies.Position(40, 50)), Map::keySet);
    assertThatThrownBy(copies::requireUpToDate)
        .as("what it had to read may be gone by now")
        .isInstanceOf(OutOfDateException.class);
  }

  /** Stopped in the middle of asking, for days: then nothing found proves nothing. */
  @Test
  void shouldNotBelieveAnAnswerThatCameTooLate() throws RefusedException {
    copies.opened(new LocalCopy("store", 1, now));
    now += RETENTION / 4;
    copies.reached(
        now,
        Map.of(PLACE, new LocalCopies.Position(40, 50)),
        places -> {
          now += RETENTION;
          return places.keySet();
        });
    assertThatThrownBy(copies::requireUpToDate).isInstanceOf(OutOfDateException.class);
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
