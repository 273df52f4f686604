// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LocalStateAgeWatchTest {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  private long now = 1_767_600_000_000L;
  private final LocalStateAgeWatch.Pulse pulse = new LocalStateAgeWatch.Pulse(now);

  private boolean beatAfter(long millis) {
    now += millis;
    return pulse.isInTime(now);
  }

  @Test
  void shouldNotBelieveTheFirstBeatAfterStandingStill() {
    assertThat(beatAfter(MINUTE)).isTrue();
    assertThat(beatAfter(2 * MINUTE)).as("a busy machine").isTrue();
    assertThat(beatAfter(2 * MINUTE + 1)).as("it stood still").isFalse();
    assertThat(beatAfter(MINUTE)).as("by now it has heard what became of it").isTrue();
    assertThat(beatAfter(-1)).as("a clock that was set back").isFalse();
  }
}
