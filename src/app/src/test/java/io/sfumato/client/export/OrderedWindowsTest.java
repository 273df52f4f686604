// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One order of windows over topics of several pipelines. */
class OrderedWindowsTest {
  private static final Instant DAY = Instant.parse("2026-11-02T00:00:00Z");

  private static Instant day(int number) {
    return DAY.plus(Duration.ofDays(number));
  }

  private static ExportWindow window(int number) {
    return new ExportWindow(day(number), day(number + 1));
  }

  @Test
  void shouldHoldAWindowUntilEveryPipelineHasReleasedIt() {
    OrderedWindows order = new OrderedWindows(List.of("sold", "visits"), true);
    order.belongs("sold", "shop");
    order.belongs("visits", "site");
    order.releasedThrough("shop", Optional.of(day(2)));
    assertThat(order.isComplete(window(0))).isFalse();
    assertThat(order.silent()).containsExactly("site");
    assertThat(order.heldBackBy(window(0))).contains("topic 'visits' is behind (pipeline 'site')");
    order.releasedThrough("site", Optional.of(day(1)));
    assertThat(order.isComplete(window(0))).isTrue();
    assertThat(order.heldBackBy(window(0))).isEmpty();
    assertThat(order.isComplete(window(1))).isFalse();
    assertThat(order.heldBackBy(window(2))).as("nobody has released it").isEmpty();
  }

  @Test
  void shouldHoldAllWindowsWhileATopicIsEmptyAndMoreIsReadLater() {
    OrderedWindows order = new OrderedWindows(List.of("sold", "terms"), true);
    order.belongs("sold", "shop");
    order.releasedThrough("shop", Optional.of(day(2)));
    assertThat(order.isComplete(window(0))).isFalse();
    assertThat(order.empty()).containsExactly("terms");
    assertThat(order.heldBackBy(window(0))).contains("topic 'terms' has no release yet");
    order.belongs("terms", "shop");
    assertThat(order.isComplete(window(0))).isTrue();
  }

  @Test
  void shouldPassOverAnEmptyTopicWhenNothingIsReadLater() {
    OrderedWindows order = new OrderedWindows(List.of("sold", "terms"), false);
    order.belongs("sold", "shop");
    order.releasedThrough("shop", Optional.of(day(2)));
    assertThat(order.isComplete(window(1))).isTrue();
    assertThat(order.isComplete(window(2))).isFalse();
    assertThat(order.heldBackBy(window(2))).isEmpty();
  }
}
