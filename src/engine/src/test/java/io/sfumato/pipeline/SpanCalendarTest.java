// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Theorem L's calendar: all paces of all spans of up to 40 windows. */
class SpanCalendarTest {
  private static final int MOST = 40;
  private static final long SIZE = 7;
  private static final long FROM = 1_000;

  private static SpanCalendar calendar(int windows, int pace) {
    return new SpanCalendar(windows, pace, FROM, Duration.ofMillis(SIZE));
  }

  private static long start(int window) {
    return FROM + window * SIZE;
  }

  /** Before and after the window that is counted from. */
  @Test
  void shouldReleaseAsManyOfEverySpanAsThePaceSays() {
    for (int n = 1; n <= MOST; n++) {
      for (int p = 1; p <= n; p++) {
        SpanCalendar calendar = calendar(n, p);
        boolean reached = false;
        for (int first = -2 * n; first <= 2 * n; first++) {
          long due = due(calendar, first, n);
          assertThat(due).as("%s from window %s on", calendar, first).isEqualTo(p);
          long touched = due(calendar, first, n + 1);
          assertThat(touched).isLessThanOrEqualTo(calendar.mostDue());
          reached |= touched == calendar.mostDue();
        }
        assertThat(reached).as("no fewer would do").isTrue();
        assertThat(calendar.isDue(FROM)).isTrue();
      }
    }
  }

  private static long due(SpanCalendar calendar, int first, int windows) {
    long due = 0;
    for (int window = first; window < first + windows; window++) {
      due += calendar.isDue(start(window)) ? 1 : 0;
    }
    return due;
  }

  @Test
  void shouldReleaseWhatComesOnceInOneDueWindowOfThoseASpanTouches() {
    for (int n = 1; n <= MOST; n++) {
      for (int p = 1; p <= n; p++) {
        SpanCalendar calendar = calendar(n, p);
        assertThat(calendar.isFirst(FROM)).isTrue();
        for (int first = -3 * n; first <= 3 * n; first++) {
          int times = 0;
          for (int window = first; window <= first + n; window++) {
            if (calendar.isFirst(start(window))) {
              assertThat(calendar.isDue(start(window))).isTrue();
              times++;
            }
          }
          assertThat(times).isLessThanOrEqualTo(1);
        }
      }
    }
  }

  /** By looking at one window after another. */
  @Test
  void shouldSayWhichWindowIsNext() {
    for (int n = 1; n <= MOST; n++) {
      for (int p = 1; p <= n; p++) {
        SpanCalendar calendar = calendar(n, p);
        long due = Long.MAX_VALUE;
        long first = Long.MAX_VALUE;
        for (int window = 5 * n; window >= -3 * n; window--) {
          due = calendar.isDue(start(window)) ? start(window) : due;
          first = calendar.isFirst(start(window)) ? start(window) : first;
          if (window <= 2 * n) {
            assertThat(calendar.nextDue(start(window))).isEqualTo(due);
            assertThat(calendar.nextFirst(start(window))).isEqualTo(first);
          }
        }
      }
    }
  }

  /** Gaps between windows that are due differ by one window at most. */
  @Test
  void shouldSpreadThemEvenly() {
    for (int n = 1; n <= MOST; n++) {
      for (int p = 1; p <= n; p++) {
        SpanCalendar calendar = calendar(n, p);
        int last = 0;
        for (int window = 1; window <= 4 * n; window++) {
          if (calendar.isDue(start(window))) {
            assertThat(window - last).isBetween(n / p, (n + p - 1) / p);
            last = window;
          }
        }
      }
    }
  }

  /** A span may begin at any moment: it touches n windows where one begins, and else n + 1. */
  @Test
  void shouldTouchNoMoreWindowsThanItSays() {
    for (int n = 1; n <= MOST; n++) {
      SpanCalendar calendar = calendar(n, n);
      for (long begin = FROM; begin < FROM + 3 * SIZE; begin++) {
        long first = Math.floorDiv(begin - FROM, SIZE);
        long last = Math.floorDiv(begin + n * SIZE - 1 - FROM, SIZE);
        boolean atStart = (begin - FROM) % SIZE == 0;
        assertThat(last - first + 1).isEqualTo(atStart ? n : calendar.touched());
      }
    }
  }

  @Test
  void shouldRefuseWhatIsNoCalendar() {
    assertThatThrownBy(() -> calendar(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> calendar(3, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> calendar(3, 4)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Ten years of windows of 100 ms: numbers times paces are beyond 2^63. */
  @Test
  void shouldCountTurnsOfLongSpansOfShortWindows() {
    long windows = Duration.ofDays(3650).toMillis() / 100;
    long today = 1_800_000_000_000L;
    SpanCalendar all = new SpanCalendar(windows, windows, 0, Duration.ofMillis(100));
    SpanCalendar most = new SpanCalendar(windows, windows - 1, 0, Duration.ofMillis(100));
    for (int window = 0; window < 1000; window++) {
      long start = today + 100L * window;
      assertThat(all.isDue(start)).isTrue();
      assertThat(all.nextDue(start)).isEqualTo(start);
      assertThat(most.isDue(start)).isTrue();
    }
    // Of n windows in a row one is passed over: the first one that n divides, and then every n-th.
    assertThat(most.isDue(windows * 100)).isTrue();
    assertThat(most.isDue(windows * 100 * 57 + 100)).isFalse();
    assertThat(most.nextDue(windows * 100 * 57 + 100)).isEqualTo(windows * 100 * 57 + 200);
  }
}
