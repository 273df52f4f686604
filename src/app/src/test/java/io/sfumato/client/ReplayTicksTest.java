// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.LongRange;
import io.sfumato.property.Property;
import io.sfumato.property.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReplayTicksTest {
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long BEGIN = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  private static final long FAR = Instant.parse("2400-01-01T00:00:00Z").toEpochMilli();

  private static WindowSpec window(long size, long grace, long ahead, int maxJump) {
    return new WindowSpec(
        Duration.ofMillis(size),
        Duration.ofMillis(grace),
        WindowSpec.MONDAY,
        Clock.TICKS,
        OptionalLong.of(BEGIN),
        maxJump,
        Duration.ofMillis(ahead),
        WindowSpec.Ticks.EXTERNAL,
        WindowSpec.MAX_AHEAD);
  }

  @Test
  void aWindowClosesWhenAnEventPassesItsEndAndTheLastWithTheFile() {
    ReplayTicks ticks = new ReplayTicks(window(DAY, 0, DAY, 400), BEGIN, FAR);
    assertThat(ticks.before(BEGIN + 5)).isEmpty();
    assertThat(ticks.before(BEGIN + DAY - 1)).isEmpty();
    assertThat(ticks.before(BEGIN + DAY + 7)).containsExactly(BEGIN + DAY);
    assertThat(ticks.before(BEGIN + DAY + 9)).isEmpty();
    assertThat(ticks.atEnd()).containsExactly(BEGIN + 2 * DAY);
  }

  @Test
  void aWindowThatIsNotOverStaysOpen() {
    ReplayTicks ticks = new ReplayTicks(window(DAY, 10, DAY, 400), BEGIN, BEGIN + 900);
    ticks.before(BEGIN + 5);
    assertThat(ticks.atEnd()).containsExactly(BEGIN + 900);
    assertThat(ticks.closesNewest()).hasValue(BEGIN + DAY + 10);
    assertThat(new ReplayTicks(window(DAY, 10, DAY, 400), BEGIN, BEGIN + 900).atEnd()).isEmpty();
  }

  @Test
  void shouldSayWhichWindowAnEndBeforeItsGraceLeavesOpen() {
    ReplayTicks ticks = new ReplayTicks(window(DAY, 10, DAY, 400), BEGIN, BEGIN + 2 * DAY);
    ticks.before(BEGIN + 5);
    ticks.before(BEGIN + DAY + 5);
    ticks.atLimit();
    assertThat(ticks.leftOpen()).hasValue(BEGIN + DAY);
    ReplayTicks later = new ReplayTicks(window(DAY, 10, DAY, 400), BEGIN, BEGIN + 2 * DAY + 10);
    later.before(BEGIN + DAY + 5);
    later.atLimit();
    assertThat(later.leftOpen()).isEmpty();
    assertThat(new ReplayTicks(window(DAY, 10, DAY, 400), BEGIN, FAR).leftOpen()).isEmpty();
  }

  /** One row of the future must not close what is to come, nor keep open what is over. */
  @Test
  void nobodyTicksBeyondTheLimit() {
    ReplayTicks ticks = new ReplayTicks(window(DAY, 0, DAY, 400), BEGIN, BEGIN + 3 * DAY + 7);
    assertThat(ticks.before(BEGIN + 2 * DAY + 1)).containsExactly(BEGIN + 2 * DAY);
    assertThat(ticks.before(BEGIN + 4 * DAY)).isEmpty();
    assertThat(ticks.before(BEGIN + 900 * DAY)).isEmpty();
    assertThat(ticks.atEnd()).containsExactly(BEGIN + 3 * DAY);
    assertThat(ticks.atLimit()).containsExactly(BEGIN + 3 * DAY + 7);
  }

  @Test
  void whatWillBeDroppedIsCounted() {
    ReplayTicks ticks = new ReplayTicks(window(DAY, 0, DAY, 400), BEGIN, FAR);
    ticks.before(BEGIN - 1);
    ticks.before(BEGIN + 3 * DAY);
    ticks.before(BEGIN + 2 * DAY);
    assertThat(ticks.late()).isEqualTo(2);
    assertThat(ticks.early()).isZero();
    ReplayTicks none = new ReplayTicks(window(DAY, 0, DAY, 400), BEGIN, FAR);
    none.without(BEGIN + DAY);
    none.without(BEGIN + DAY + 1);
    assertThat(none.early()).isEqualTo(1);
  }

  @Test
  void aGapIsCrossedInJumpsThatAPipelineAllows() {
    ReplayTicks ticks = new ReplayTicks(window(DAY, 0, DAY, 400), BEGIN, FAR);
    assertThat(ticks.before(BEGIN + 1000 * DAY))
        .containsExactly(BEGIN + 400 * DAY, BEGIN + 800 * DAY, BEGIN + 1000 * DAY);
  }

  /** What intake asks of each event and tick, whatever the events, the windows and the grace. */
  @Tag("deep")
  @Property(tries = 500)
  void noEventOfAnOrderedFileIsLateOrEarlyAndNoJumpTooLarge(
      @ForAll @LongRange(min = 100, max = 1_000_000) long size,
      @ForAll @LongRange(max = 2_000_000) long grace,
      @ForAll @LongRange(max = 3_000_000) long ahead,
      @ForAll @IntRange(min = 1, max = 50) int maxJump,
      @ForAll @Size(max = 60) List<@LongRange(max = 1_000_000) Long> gaps) {
    long begin =
        WindowSpec.MONDAY + Math.floorDiv(BEGIN - WindowSpec.MONDAY, size) * size; // a start
    WindowSpec window = window(size, grace, ahead, maxJump);
    ReplayTicks ticks = new ReplayTicks(window, begin, FAR);
    long clock = Long.MIN_VALUE;
    long boundary = begin;
    long event = begin;
    List<Long> all = new ArrayList<>();
    for (long gap : gaps) {
      event += gap;
      for (long tick : ticks.before(event)) {
        boundary = advanced(window, boundary, tick, maxJump);
        clock = tick;
        all.add(tick);
      }
      assertThat(window.endOf(window.startOf(event))).as("not late").isGreaterThan(boundary);
      assertThat(event).as("not early").isLessThanOrEqualTo(Math.max(boundary, clock) + ahead);
    }
    assertThat(ticks.late()).isZero();
    assertThat(ticks.early()).isZero();
    for (long tick : ticks.atEnd()) {
      boundary = advanced(window, boundary, tick, maxJump);
      all.add(tick);
    }
    assertThat(all).isSorted().doesNotHaveDuplicates();
    if (!gaps.isEmpty()) {
      assertThat(boundary).as("all is closed").isEqualTo(window.endOf(window.startOf(event)));
    }
  }

  private static long advanced(WindowSpec window, long boundary, long tick, int maxJump) {
    long next = Math.max(boundary, window.boundaryOf(tick));
    assertThat((next - boundary) / window.grid().longest().toMillis()).isLessThanOrEqualTo(maxJump);
    return next;
  }
}
