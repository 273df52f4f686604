// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.OperatorOrders;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A topic's past under ticks: EARLY without an order, counted with one, and no clock moved by it.
 */
class CatchUpTest {
  /** The fixture's records come at this second, and windows began ten days before. */
  private static final String YAML =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 9, subjects: 1 }
      subjects: [north]
      window: { size: 1d, clock: ticks, begin: 2026-05-22 }
      budget: { name: test, unit: user, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - count: { name: counts, share: { epsilon: 2, delta: 1e-6 } }
      """;

  private static final long DAY = 86_400;

  @TempDir Path folder;

  private Fixture fixture(OperatorOrders orders) {
    return new Fixture(YAML, folder, Deployment.JumpPolicy.STOP, orders);
  }

  private static void record(Fixture fixture, long day) {
    fixture.sendJson(day * DAY + 60, "'who':'ann','ward':'north','what':'a'");
  }

  @Test
  void shouldDropThePastWithoutAnOrder() {
    try (Fixture fixture = fixture(OperatorOrders.none())) {
      record(fixture, -10);
      record(fixture, -5);
      record(fixture, -1);
      assertThat(fixture.counts.seen).containsEntry("EARLY", 2);
    }
  }

  @Test
  void shouldCountThePastAndCloseNothingByIt() {
    try (Fixture fixture = fixture(OperatorOrders.none().caughtUpAt(Fixture.NOW))) {
      record(fixture, -10);
      record(fixture, -1);
      record(fixture, -5);
      assertThat(fixture.counts.seen).doesNotContainKeys("EARLY", "LATE");
      fixture.tick(-4 * DAY);
      record(fixture, -8);
      assertThat(fixture.counts.seen).as("a tick has closed it").containsEntry("LATE", 1);
      record(fixture, -2);
      assertThat(fixture.counts.seen).doesNotContainKeys("EARLY");
    }
  }

  /** The latest order counts, and none reaches further than a tick of its time would. */
  @Test
  void shouldReachAsFarAsATickOfThatTime() {
    long threeDaysAgo = Fixture.NOW - 3 * DAY * 1_000;
    OperatorOrders orders =
        OperatorOrders.of(List.of())
            .caughtUpAt(Fixture.NOW - 8 * DAY * 1_000)
            .caughtUpAt(threeDaysAgo)
            .caughtUpAt(Fixture.NOW - 9 * DAY * 1_000);
    assertThat(orders.caughtUp()).isEqualTo(threeDaysAgo);
    try (Fixture fixture = fixture(orders)) {
      record(fixture, -3);
      assertThat(fixture.counts.seen).doesNotContainKeys("EARLY");
      record(fixture, -1);
      assertThat(fixture.counts.seen).containsEntry("EARLY", 1);
    }
  }
}
