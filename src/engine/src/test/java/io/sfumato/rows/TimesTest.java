// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Times in lines. */
class TimesTest {
  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  /** Of windows of ten seconds no two are called alike, and all as long. */
  @Test
  void windowsShorterThanAMinuteHaveSeconds() {
    assertThat(Times.start(NOON, NOON.plusSeconds(10))).isEqualTo("2026-11-02 12:00:00");
    assertThat(Times.start(NOON.plusSeconds(50), NOON.plusSeconds(60)))
        .isEqualTo("2026-11-02 12:00:50");
    assertThat(Times.start(NOON, NOON.plusSeconds(60))).isEqualTo("2026-11-02 12:00");
    assertThat(Times.start(NOON)).isEqualTo("2026-11-02 12:00");
    assertThat(Times.start(NOON.plusSeconds(7))).isEqualTo("2026-11-02 12:00:07");
  }
}
