// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClosedWindowLogTest {
  private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
  private final ClosedWindowLog log = new ClosedWindowLog(nanos::get);

  @Test
  void shouldSayEachWindowThatClosesInItsTime() {
    for (int i = 0; i < 3; i++) {
      assertThat(log.closed(4, i * 10_000L))
          .contains(
              "partition 4: all windows up to 1970-01-01T00:00:%02dZ released".formatted(10 * i));
      nanos.addAndGet(1_000_000_000);
    }
  }

  @Test
  void shouldSayOneASecondOfAPartitionThatCatchesUp() {
    int said = 0;
    for (int i = 0; i < 200_000; i++) {
      said += log.closed(1, i).isPresent() ? 1 : 0;
      nanos.addAndGet(1_000_000);
    }
    assertThat(said).isEqualTo(200);
    assertThat(log.closed(1, 0).orElseThrow())
        .endsWith(" released (999 more windows since the last line)");
    assertThat(log.closed(2, 0).orElseThrow()).as("another one").endsWith(" released");
  }
}
