// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TransactionsTest {
  private static final Duration NONE = Duration.ofNanos(-1);
  private static final Duration LONG = Duration.ofDays(1);

  private final Transactions transactions = new Transactions();

  @Test
  void shouldBeStuckFromTheFirstThatIsOpenTooLongUntilOneIsCompleted() {
    assertThat(transactions.areStuck(NONE)).as("nothing is open").isFalse();
    transactions.begin();
    assertThat(transactions.areStuck(LONG)).isFalse();
    assertThat(transactions.areStuck(NONE)).isTrue();
    transactions.giveUp();
    assertThat(transactions.areStuck(NONE)).as("nothing was completed since").isTrue();
    transactions.begin();
    transactions.commit(() -> {});
    assertThat(transactions.areStuck(NONE)).isFalse();
  }

  @Test
  void shouldBeStuckWhileTheClusterDoesNotAllowTheFirst() {
    assertThatThrownBy(
            () ->
                transactions.prepare(
                    () -> {
                      throw new TimeoutException();
                    }))
        .isInstanceOf(TimeoutException.class);
    assertThat(transactions.areStuck(NONE)).isTrue();
    transactions.prepare(() -> {});
    assertThat(transactions.areStuck(NONE)).isFalse();
  }

  @Test
  void shouldStayOpenWhileACommitIsTriedAgain() {
    transactions.begin();
    assertThatThrownBy(
            () ->
                transactions.commit(
                    () -> {
                      throw new TimeoutException();
                    }))
        .isInstanceOf(TimeoutException.class);
    assertThat(transactions.areStuck(NONE)).isTrue();
    transactions.commit(() -> {});
    assertThat(transactions.areStuck(NONE)).isFalse();
  }
}
