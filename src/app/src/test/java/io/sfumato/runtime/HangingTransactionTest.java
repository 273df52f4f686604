// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A transaction hangs if a partition has it open and its coordinator has nothing to end there. */
class HangingTransactionTest {
  private static final TopicPartition HERE = new TopicPartition("mix", 0);
  private static final TopicPartition ELSEWHERE = new TopicPartition("mix", 1);
  private static final long NOW = 1_800_000_000_000L;
  private static final int TIMEOUT = 10_000;
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final long ID = 7;
  private static final int EPOCH = 3;

  private static ProducerState open(long lastTimestamp) {
    return new ProducerState(ID, EPOCH, 4, lastTimestamp, OptionalInt.empty(), OptionalLong.of(12));
  }

  private static ProducerState old() {
    return open(NOW - TIMEOUT - 1);
  }

  private static TransactionDescription coordinated(
      TransactionState state, long id, int epoch, Set<TopicPartition> partitions) {
    return new TransactionDescription(
        1, state, id, epoch, TIMEOUT, OptionalLong.empty(), partitions);
  }

  private static boolean isHanging(ProducerState producer, TransactionDescription coordinated) {
    return new HangingTransaction(HERE, producer, Optional.ofNullable(coordinated))
        .isHanging(LONGEST, NOW);
  }

  @ParameterizedTest
  @EnumSource(
      value = TransactionState.class,
      names = {"ONGOING", "PREPARE_COMMIT", "PREPARE_ABORT", "PREPARE_EPOCH_FENCE"})
  void shouldNotHangWhileItsCoordinatorHasToEndIt(TransactionState state) {
    assertThat(isHanging(old(), coordinated(state, ID, EPOCH, Set.of(HERE, ELSEWHERE)))).isFalse();
  }

  /** With transaction.version 2 the coordinator goes on to the next epoch before it has ended. */
  @ParameterizedTest
  @EnumSource(
      value = TransactionState.class,
      names = {"PREPARE_COMMIT", "PREPARE_ABORT", "PREPARE_EPOCH_FENCE"})
  void shouldNotHangWhileMarkersOfTheNextEpochAreWritten(TransactionState state) {
    assertThat(isHanging(old(), coordinated(state, ID, EPOCH + 1, Set.of(HERE)))).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = TransactionState.class,
      names = {"COMPLETE_COMMIT", "COMPLETE_ABORT", "EMPTY"})
  void shouldHangWhenItsCoordinatorHasEndedIt(TransactionState state) {
    assertThat(isHanging(old(), coordinated(state, ID, EPOCH, Set.of()))).isTrue();
    assertThat(isHanging(old(), coordinated(state, ID, EPOCH + 1, Set.of()))).isTrue();
    assertThat(isHanging(old(), coordinated(state, ID, EPOCH, Set.of(HERE))))
        .as("the partitions of what is complete do not count")
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource(value = TransactionState.class, mode = Mode.EXCLUDE, names = "UNKNOWN")
  void shouldHangWhenItsCoordinatorDoesNotHaveThePartition(TransactionState state) {
    assertThat(isHanging(old(), coordinated(state, ID, EPOCH, Set.of(ELSEWHERE)))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(value = TransactionState.class, mode = Mode.EXCLUDE, names = "UNKNOWN")
  void shouldHangWhenItsTransactionalIdHasAnotherProducer(TransactionState state) {
    assertThat(isHanging(old(), coordinated(state, ID + 1, EPOCH, Set.of(HERE)))).isTrue();
  }

  @Test
  void shouldHangWhenItsCoordinatorIsAtALaterOne() {
    assertThat(isHanging(old(), coordinated(TransactionState.ONGOING, ID, EPOCH + 1, Set.of(HERE))))
        .isTrue();
  }

  @Test
  void shouldClaimNothingOfAStateThatItDoesNotKnow() {
    assertThat(isHanging(old(), coordinated(TransactionState.UNKNOWN, ID, EPOCH, Set.of())))
        .isFalse();
  }

  @Test
  void shouldNotHangAsLongAsItsCoordinatorLetsItLive() {
    TransactionDescription complete =
        coordinated(TransactionState.COMPLETE_COMMIT, ID, EPOCH, Set.of());
    assertThat(isHanging(open(NOW), complete)).isFalse();
    assertThat(isHanging(open(NOW - TIMEOUT), complete)).isFalse();
    assertThat(isHanging(open(NOW - TIMEOUT - 1), complete)).isTrue();
  }

  @Test
  void shouldHangWhenNoTransactionalIdHasItsProducerAndNoneLivesSoLong() {
    assertThat(isHanging(old(), null)).isFalse();
    assertThat(isHanging(open(NOW - LONGEST.toMillis()), null)).isFalse();
    assertThat(isHanging(open(NOW - LONGEST.toMillis() - 1), null)).isTrue();
  }

  /** Records carry the times of events, which may lie in the future. */
  @Test
  void shouldNotWaitForATimestampOfTheFuture() {
    TransactionDescription complete =
        coordinated(TransactionState.COMPLETE_COMMIT, ID, EPOCH, Set.of());
    assertThat(isHanging(open(NOW + 1), complete)).isFalse();
    assertThat(isHanging(open(NOW + Duration.ofDays(365).toMillis()), complete)).isTrue();
    assertThat(isHanging(open(-1), complete)).as("no timestamp").isTrue();
  }

  @Test
  void shouldNotHangWithoutATransaction() {
    ProducerState idle =
        new ProducerState(ID, EPOCH, 4, 0, OptionalInt.of(1), OptionalLong.empty());
    assertThat(isHanging(idle, null)).isFalse();
  }

  private static HangingTransaction from(TopicPartition partition, long id, long offset, long at) {
    return new HangingTransaction(
        partition,
        new ProducerState(id, EPOCH, 4, at, OptionalInt.empty(), OptionalLong.of(offset)),
        Optional.empty());
  }

  /** Whatever else was written meanwhile. */
  @Test
  void shouldKnowTheSameOneAgain() {
    HangingTransaction one = from(HERE, ID, 12, 1);
    assertThat(one.isSame(from(HERE, ID, 12, 2))).isTrue();
    assertThat(one.isSame(from(ELSEWHERE, ID, 12, 1))).isFalse();
    assertThat(one.isSame(from(HERE, ID, 13, 1))).isFalse();
    assertThat(one.isSame(from(HERE, ID + 1, 12, 1))).isFalse();
  }
}
