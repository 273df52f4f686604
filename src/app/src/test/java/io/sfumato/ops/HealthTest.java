// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;

class HealthTest {
  @Test
  void shouldNameTheReasonWhenTheClientRunsWithoutThreads() {
    assertThat(Health.threads(State.RUNNING, 0)).contains("no live stream thread");
  }

  @Test
  void shouldLeaveThreadsToTheStateWhenTheClientDoesNotRun() {
    assertThat(Health.threads(State.RUNNING, 1)).isEmpty();
    assertThat(Health.threads(State.REBALANCING, 0)).as("the state is a reason").isEmpty();
    assertThat(Health.threads(State.CREATED, 0)).isEmpty();
  }

  @Test
  void shouldNameThePartitionsThatATransactionHangsIn() {
    assertThat(Health.hanging(Set.of())).isEmpty();
    assertThat(Health.hanging(new TreeSet<>(Set.of("mix-0", "mix-1"))))
        .contains("hanging transactions in mix-0, mix-1");
  }
}
