// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TickGridTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static WindowSpec window(Duration size, Duration grace, Duration ahead) {
    return new WindowSpec(
        size,
        grace,
        WindowSpec.MONDAY,
        WindowSpec.Clock.TICKS,
        OptionalLong.of(WindowSpec.MONDAY),
        400,
        ahead,
        WindowSpec.Ticks.HERE,
        WindowSpec.MAX_AHEAD);
  }

  private static final List<WindowSpec> WINDOWS =
      List.of(
          window(Duration.ofMillis(100), Duration.ZERO, Duration.ofDays(1)),
          window(Duration.ofMillis(700), Duration.ofMillis(30), Duration.ofDays(1)),
          window(Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofDays(1)),
          window(Duration.ofSeconds(7), Duration.ZERO, Duration.ZERO),
          window(HOUR, Duration.ofMinutes(5), Duration.ofDays(1)),
          window(Duration.ofDays(1), Duration.ofHours(2), Duration.ofDays(1)),
          window(Duration.ofDays(7), Duration.ofDays(1), HOUR),
          window(Duration.ofDays(28), Duration.ofDays(1), Duration.ofDays(40)));

  /** A tick exactly where a window may close: not one millisecond later than could be. */
  @Test
  void shouldTickAtEveryWindowsEndWithItsGrace() {
    for (WindowSpec window : WINDOWS) {
      TickGrid grid = new TickGrid(window);
      long size = window.grid().longest().toMillis();
      long stretch = Math.max(1, 1000 / size);
      for (long n = 0; n < 50; n++) {
        long due = WindowSpec.MONDAY + n * stretch * size + window.grace().toMillis();
        assertThat(grid.atOrBefore(due)).as("%s", window).isEqualTo(due);
        assertThat(grid.atOrBefore(due - 1)).isLessThan(due);
        assertThat(grid.after(due - 1)).isEqualTo(due);
      }
    }
  }

  /** The same points, whoever asks and when: a function of the file. */
  @Test
  void shouldHaveOneNextPointWhereverItIsAskedFrom() {
    Random random = new Random(52);
    for (WindowSpec window : WINDOWS) {
      TickGrid grid = new TickGrid(window);
      for (int i = 0; i < 2_000; i++) {
        long time = random.nextLong(-4_000_000_000_000L, 4_000_000_000_000L);
        long last = grid.atOrBefore(time);
        long next = grid.after(time);
        assertThat(last).isLessThanOrEqualTo(time);
        assertThat(next).isGreaterThan(time);
        assertThat(grid.after(last)).isEqualTo(next);
        assertThat(grid.atOrBefore(next)).isEqualTo(next);
        assertThat(grid.atOrBefore(next - 1)).isEqualTo(last);
      }
    }
  }

  /** Four times a window, not more often than each second, and so that no record is EARLY. */
  @Test
  void shouldTickOftenEnough() {
    for (WindowSpec window : WINDOWS) {
      TickGrid grid = new TickGrid(window);
      long last = grid.atOrBefore(1_790_000_000_000L);
      for (int i = 0; i < 200; i++) {
        long next = grid.after(last);
        assertThat(next - last).isBetween(500L, HOUR.toMillis());
        assertThat(next - last)
            .isLessThanOrEqualTo(Math.max(1_000, window.grid().longest().toMillis() / 4 + 1));
        assertThat(next - last)
            .isLessThanOrEqualTo(Math.max(1_000, window.ahead().toMillis() / 2 + 1));
        last = next;
      }
    }
  }
}
