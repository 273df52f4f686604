// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.context.ThreadProgress.Turns;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A thread's partitions share one transaction, which must end in time. */
class ThreadProgressTest {
  private static final long UNIT = Duration.ofMillis(200).toNanos();

  private final AtomicLong now = new AtomicLong();
  private final ThreadProgress pace = new ThreadProgress(now::get);

  /** Every partition asks once for a turn, as punctuations do, and does one large unit of work. */
  private int[] round(List<Turns> partitions) {
    int[] done = new int[partitions.size()];
    for (int i = 0; i < done.length; i++) {
      if (partitions.get(i).begin()) {
        now.addAndGet(UNIT);
        partitions.get(i).end(true);
        done[i]++;
      }
    }
    pace.commit();
    return done;
  }

  private List<Turns> partitions(int count) {
    return Stream.generate(pace::turns).limit(count).toList();
  }

  @Test
  void shouldEndATransactionBeforeItsTimeoutHoweverManyPartitionsRelease() {
    List<Turns> partitions = partitions(64);
    for (int i = 0; i < 100; i++) {
      long began = now.get();
      round(partitions);
      assertThat(now.get() - began).isLessThan(Duration.ofSeconds(1).toNanos());
    }
  }

  @Test
  void shouldGiveEveryPartitionItsTurnWhenThereIsNotTimeForAll() {
    List<Turns> partitions = partitions(16);
    int[] turns = new int[16];
    for (int i = 0; i < 600; i++) {
      int[] done = round(partitions);
      Arrays.setAll(turns, p -> turns[p] + done[p]);
    }
    // Three units fit between two commits: 1,800 turns, 112 for each if they were even.
    assertThat(Arrays.stream(turns).sum()).isGreaterThan(1_500);
    assertThat(Arrays.stream(turns).min().getAsInt()).isGreaterThan(75);
  }

  @Test
  void shouldGoOnWhenAPartitionThatWaitedIsGone() {
    List<Turns> all = partitions(16);
    round(all);
    List<Turns> rest = all.subList(0, 3);
    round(rest);
    assertThat(round(rest)).containsOnly(1);
  }

  @Test
  void shouldAskForACommitWhenItsTimeIsUsedUp() {
    List<Turns> partitions = partitions(4);
    round(partitions.subList(0, 1));
    assertThat(partitions.get(0).awaitsCommit()).isFalse();
    round(partitions);
    assertThat(partitions.get(3).begin()).isTrue();
    now.addAndGet(3 * UNIT);
    partitions.get(3).end(true);
    assertThat(partitions.get(0).begin()).isFalse();
    assertThat(partitions.get(0).awaitsCommit()).isTrue();
    pace.commit();
    assertThat(partitions.get(0).begin()).isTrue();
  }
}
