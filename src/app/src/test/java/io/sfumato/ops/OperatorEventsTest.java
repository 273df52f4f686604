// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ops.OperatorEvents.Tasks;
import io.sfumato.ops.RunningCounts.Wait;
import io.sfumato.window.FixedWindows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OperatorEventsTest {
  private static final long FROM = Instant.parse("2026-01-05T13:00:00Z").toEpochMilli();

  @Test
  void shouldSayThatThereAreMoreInstancesThanPartitions() {
    assertThat(OperatorEvents.idle(Tasks.KEEPS, OptionalInt.of(3), 2)).isEmpty();
    assertThat(OperatorEvents.idle(Tasks.NONE, OptionalInt.of(3), 2))
        .contains(
            "idle: no partitions assigned (3 instances share 2 partitions); it takes over when another"
                + " instance ends");
    assertThat(OperatorEvents.idle(Tasks.NONE, OptionalInt.empty(), 1).get())
        .contains("(1 partition in all)");
    assertThat(OperatorEvents.idle(Tasks.READS, OptionalInt.of(2), 1).get())
        .contains("no windows here", "2 instances share 1 partition");
  }

  @Test
  void shouldSayForWhichVersionPartitionsWait() {
    assertThat(OperatorEvents.waiting(Map.of())).isEmpty();
    assertThat(OperatorEvents.waiting(Map.of(1, new Wait(2, FROM))))
        .get()
        .asString()
        .startsWith("waiting for version 2: partition 1 has released every window")
        .contains("2026-01-05T13:00:00Z");
  }

  @Test
  void shouldTellOfNewsOnce() {
    List<String> told = new ArrayList<>();
    RunningCounts counts =
        new RunningCounts(
            new RunningCounts.Listener() {
              @Override
              public void closed(int partition, long end) {
                told.add("closed " + end);
              }

              @Override
              public void waits(int partition, Wait next) {
                told.add("waits for " + next.version());
              }
            });
    counts.resumed(0, 10);
    counts.closed(0, 10);
    counts.closed(0, 20);
    counts.handedOver(0, 2, 20);
    counts.handedOver(0, 2, 20);
    assertThat(told).containsExactly("closed 20", "waits for 2");
    assertThat(counts.partitions().get(0).released()).hasValue(20);
    assertThat(counts.partitions().get(0).windows(new FixedWindows(10, 0))).isEqualTo(1);
    assertThat(counts.line()).contains("partition 0 waits for version 2");
    counts.announced(0);
    assertThat(counts.waiting()).isEmpty();
  }
}
