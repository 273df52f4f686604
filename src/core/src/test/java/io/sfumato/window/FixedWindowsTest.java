// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows of one length: the arithmetic that states and topics were made with. */
class FixedWindowsTest {
  @Test
  void shouldKeepTheArithmeticOfSizeAndOrigin() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      long size = 1 + random.nextInt(1_000_000);
      long origin = random.nextInt(2_000_000) - 1_000_000;
      long time = random.nextLong() >> 20;
      FixedWindows windows = new FixedWindows(size, origin);
      long start = Math.floorDiv(time - origin, size) * size + origin;
      assertThat(windows.startOf(time)).isEqualTo(start);
      assertThat(windows.endOf(start)).isEqualTo(start + size);
      assertThat(windows.number(start)).isEqualTo(Math.floorDiv(start, size));
      assertThat(windows.start(windows.number(time))).isEqualTo(start);
      int windowsOn = random.nextInt(1_000) - 500;
      assertThat(windows.plus(start, windowsOn)).isEqualTo(start + windowsOn * size);
      assertThat(windows.between(start, start + windowsOn * size)).isEqualTo(windowsOn);
    }
  }

  @Test
  void shouldCountWindowsThatAStretchTouches() {
    FixedWindows days = new FixedWindows(Duration.ofDays(1), 0);
    assertThat(days.mostTouched(Duration.ofDays(30))).isEqualTo(31);
    assertThat(days.mostTouched(Duration.ofHours(1))).isEqualTo(2);
    assertThat(days.wholeIn(Duration.ofHours(49))).isEqualTo(2);
    assertThat(days.periodsOf(8, Duration.ofDays(7))).isEqualTo(2);
    assertThat(days.periodsOf(9, Duration.ofDays(7))).isEqualTo(3);
  }

  @Test
  void shouldRefuseWindowsOfNoLength() {
    assertThatThrownBy(() -> new FixedWindows(0, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
