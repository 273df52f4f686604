// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdvanceTest {
  private final Advance advance = new Advance();
  private long second = 1_000;

  @Test
  void shouldNotMissWorkWhereThereIsNone() {
    for (int i = 0; i < 100; i++) {
      look(7, false);
      assertThat(advance.isAdvancing()).isTrue();
    }
  }

  @Test
  void shouldSayWhenWorkWaitsAndNoneIsDone() {
    look(7, true);
    int seconds = 0;
    while (advance.isAdvancing() && seconds < 100) {
      look(7, true);
      seconds++;
    }
    assertThat(seconds).isEqualTo((int) Advance.PATIENCE.toSeconds());
    look(8, true);
    assertThat(advance.isAdvancing()).as("it goes on").isTrue();
  }

  @Test
  void shouldNotCountTheTimeWithoutWork() {
    look(7, true);
    for (int i = 0; i < 50; i++) {
      look(7, false);
    }
    look(7, true);
    assertThat(advance.isAdvancing()).isTrue();
  }

  private void look(double processed, boolean waiting) {
    second++;
    advance.observe(processed, waiting, Duration.ofSeconds(second).toNanos());
  }
}
