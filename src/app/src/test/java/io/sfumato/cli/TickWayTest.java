// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.ticker.LastTicks;
import io.sfumato.topology.context.OperatorOrders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TickWayTest {
  private static final long BEGIN = Instant.parse("2026-10-29T00:00:00Z").toEpochMilli();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final OperatorOrders CATCH_UP = OperatorOrders.none().caughtUpAt(BEGIN);

  private static List<Long> to(long time, OperatorOrders orders, OptionalLong... last)
      throws Exception {
    return way(orders).to(time, new LastTicks.Found(List.of(last), true, true), true);
  }

  private static TickWay way(OperatorOrders orders) throws Exception {
    Pipeline pipeline =
        PipelineFile.parse(
            "extern",
            """
            pipeline: extern
            input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
            contributions: { per-window: 3, subjects: 1 }
            subjects: [north, south]
            window: { size: 1h, clock: ticks, begin: 2026-10-29, ticks: external }
            budget: { name: extern, unit: user, epsilon: 2, delta: 1e-6, period: window }
            releases:
              - count: { name: counts, share: { epsilon: 2, delta: 1e-6 } }
            """);
    return new TickWay(
        pipeline,
        orders,
        KafkaSettings.gather(
            Map.of(), java.util.Optional.empty(), Map.of(), java.util.Optional.of("none:1")));
  }

  @Test
  void shouldTickOnceWhenTheJumpIsShortEnough() throws Exception {
    assertThat(to(BEGIN + 400 * HOUR, OperatorOrders.none(), OptionalLong.empty()))
        .containsExactly(BEGIN + 400 * HOUR);
    OptionalLong last = OptionalLong.of(BEGIN + 300 * HOUR);
    assertThat(to(BEGIN + 700 * HOUR, OperatorOrders.none(), last, last))
        .containsExactly(BEGIN + 700 * HOUR);
  }

  @Test
  void shouldRefuseWhenOneTickWouldJumpTooFar() {
    assertThatThrownBy(
            () ->
                to(
                    BEGIN + 700 * HOUR,
                    OperatorOrders.none(),
                    OptionalLong.of(BEGIN + 600 * HOUR),
                    OptionalLong.of(BEGIN + 200 * HOUR)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("more than window.max-jump (400) windows")
        .hasMessageContaining("--at " + Instant.ofEpochMilli(BEGIN + 600 * HOUR) + " first")
        .hasMessageContaining("--catch-up; nothing was sent");
  }

  @Test
  void shouldTickInStepsWhenThePastIsRead() throws Exception {
    assertThat(to(BEGIN + 900 * HOUR, CATCH_UP, OptionalLong.empty()))
        .containsExactly(BEGIN + 400 * HOUR, BEGIN + 800 * HOUR, BEGIN + 900 * HOUR);
    assertThat(
            to(
                BEGIN + 900 * HOUR,
                CATCH_UP,
                OptionalLong.of(BEGIN + 800 * HOUR),
                OptionalLong.of(BEGIN + 450 * HOUR)))
        .containsExactly(BEGIN + 850 * HOUR, BEGIN + 900 * HOUR);
    assertThat(to(BEGIN - HOUR, CATCH_UP, OptionalLong.empty())).containsExactly(BEGIN - HOUR);
  }

  /** A partition whose last tick lies too far back to be looked for. */
  @Test
  void shouldBeginAtTheFilesBeginWhenAClockIsNotKnown() throws Exception {
    LastTicks.Found unknown =
        new LastTicks.Found(List.of(OptionalLong.of(BEGIN + 800 * HOUR)), false, true);
    assertThat(way(CATCH_UP).to(BEGIN + 900 * HOUR, unknown, true))
        .containsExactly(BEGIN + 400 * HOUR, BEGIN + 800 * HOUR, BEGIN + 900 * HOUR);
    assertThat(
            way(OperatorOrders.none())
                .to(BEGIN + 900 * HOUR, new LastTicks.Found(List.of(), false, true), true))
        .as("nobody can tell that it is too far")
        .containsExactly(BEGIN + 900 * HOUR);
  }
}
