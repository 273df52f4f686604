// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plans;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A ticker that has died is noticed, whatever happens to the instances that wait for it. */
class TickAgeTest {
  private static final String TICKED = TickWatchTest.TICKED;

  private static final String HERE = TICKED.replace("clock: ticks,", "clock: ticks, ticks: here,");
  private static final long BEGIN = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final AtomicLong nanos = new AtomicLong();
  private final RunningCounts counts =
      new RunningCounts(new RunningCounts.Listener() {}, nanos::get);
  private final Set<Integer> here = new HashSet<>(Set.of(0));
  private final Map<Integer, Long> released = new TreeMap<>();
  private boolean behind;

  /** A source whose wall clock shows the beginning of the windows when the instance starts. */
  private TickAge age(String yaml) {
    return new TickAge(
        Plans.valid(yaml).pipeline(),
        counts.ticks(),
        new TickAge.Source() {
          @Override
          public Set<Integer> partitions() {
            return here;
          }

          @Override
          public OptionalLong released(int partition) {
            return released.containsKey(partition)
                ? OptionalLong.of(released.get(partition))
                : OptionalLong.empty();
          }

          @Override
          public boolean isBehind() {
            return behind;
          }

          @Override
          public long now() {
            return BEGIN + Duration.ofNanos(nanos.get()).toMillis();
          }
        });
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Of a ticker that dies, and one that leaves a partition out. */
  @Test
  void shouldMissTicksAfterAWindow() {
    here.add(1);
    TickAge age = age(TICKED);
    assertThat(age.millis()).hasValue(0);
    pass(Duration.ofHours(23));
    assertThat(age.words()).isEmpty();
    counts.tickTaken(0, BEGIN);
    pass(Duration.ofHours(2));
    assertThat(age.millis()).hasValue(Duration.ofHours(25).toMillis());
    assertThat(age.words().orElseThrow())
        .contains(
            "no tick has arrived for 25h, which is longer than a window (1d)", "'ticks: here'");
    counts.tickTaken(1, BEGIN);
    assertThat(age.words()).isEmpty();
    assertThat(age.millis()).hasValue(Duration.ofHours(2).toMillis());
  }

  /** What another instance reads is no business of this one, before it comes here. */
  @Test
  void shouldCountFromTheMomentAtWhichAPartitionComesHere() {
    here.clear();
    TickAge age = age(TICKED);
    pass(Duration.ofDays(9));
    assertThat(age.millis()).isEmpty();
    here.add(1);
    assertThat(age.millis()).hasValue(0);
    pass(Duration.ofDays(2));
    assertThat(age.words()).isPresent();
    here.clear();
    assertThat(age.words()).isEmpty();
    here.add(1);
    assertThat(age.words()).isEmpty();
  }

  /** A tick that is sent again and again is no sign of a ticker. */
  @Test
  void shouldCountTicksThatMoveTheClockAlone() {
    TickAge age = age(TICKED);
    assertThat(age.millis()).hasValue(0);
    counts.tickTaken(0, BEGIN);
    for (int hour = 0; hour < 26; hour++) {
      pass(Duration.ofHours(1));
      counts.tickTaken(0, BEGIN);
    }
    assertThat(age.words()).isPresent();
    counts.tickTaken(0, BEGIN + 1);
    assertThat(age.words()).isEmpty();
  }

  /** Otherwise restarts and rebalances that come more often than windows end would hide it. */
  @Test
  void shouldMissTicksOfALivePipelineThatIsRestartedEveryDay() {
    released.put(0, BEGIN);
    for (int day = 0; day < 4; day++) {
      here.add(0);
      TickAge restarted = age(TICKED);
      assertThat(restarted.words().isPresent()).as("day %d", day).isEqualTo(day > 2);
      pass(Duration.ofHours(24));
      here.clear();
    }
    here.add(0);
    assertThat(age(TICKED).words().orElseThrow()).contains("no tick has arrived for 3d");
  }

  /** Its ticks go by its own times. */
  @Test
  void shouldNotCompareAHistoryWithTheWallClock() {
    released.put(0, BEGIN - 40 * DAY);
    assertThat(age(TICKED).words()).isEmpty();
    assertThat(age(HERE).words()).isPresent();
  }

  /** Its own ticks lie behind the records that are still to be read. */
  @Test
  void shouldNotMissItsOwnTicksWhileItReadsABacklog() {
    TickAge age = age(HERE);
    counts.ticks().own().ticked(BEGIN);
    behind = true;
    released.put(0, BEGIN - 40 * DAY);
    pass(Duration.ofHours(30));
    assertThat(age.words()).isEmpty();
    counts.ticks().own().failed("no rights");
    assertThat(age.words()).isPresent();
  }

  /** Where records close windows, nobody owes ticks. */
  @Test
  void shouldMissNoTicksWhereRecordsAreTheClock() {
    TickAge age = age(TICKED.replace(", clock: ticks, begin: 2026-06-01", ""));
    age.millis();
    pass(Duration.ofDays(9));
    assertThat(age.millis()).isEmpty();
  }
}
