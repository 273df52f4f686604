// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.topology.StateReader;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Where windows begin is said before it is for ever. */
class FirstBeginTest {
  private static final long NOW = Instant.parse("2026-11-27T20:40:05Z").toEpochMilli();

  private static Pipeline live(String begin) throws Exception {
    return PipelineFile.parse(
        "live.yaml",
        """
        pipeline: live
        input: { topic: live, user: user, subject: region, time: ts, category: event, categories: [view, cart] }
        contributions: { per-window: 2, subjects: 1 }
        subjects: [north, south]
        window: { size: 10s, grace: 2s, clock: ticks, begin: %s }
        budget: { name: live, unit: user, epsilon: 1, delta: 1e-6, period: window }
        releases:
          - count: { name: live-counts, method: best, share: { epsilon: 1, delta: 1e-6 } }
        """
            .formatted(begin));
  }

  @Test
  void shouldRefuseTheWallClockWhenItsFirstTickWouldJumpTooFar() throws Exception {
    Pipeline early = live("2026-11-27");
    assertThatThrownBy(() -> Beginning.requireRecent(early, new StateReader(), NOW))
        .hasMessageStartingWith(
            "with 'ticks: here' and windows from 2026-11-27, more than window.max-jump (400) "
                + "windows ago")
        .hasMessageContaining("write begin: 2026-11-27T20:40:00Z (the current window)");
    Pipeline offered = live("2026-11-27T20:40:00Z");
    assertThatCode(() -> Beginning.requireRecent(offered, new StateReader(), NOW))
        .doesNotThrowAnyException();
    Pipeline reachable = live("2026-11-27T19:33:20Z");
    assertThatCode(() -> Beginning.requireRecent(reachable, new StateReader(), NOW))
        .as("400 windows of ten seconds")
        .doesNotThrowAnyException();
  }
}
