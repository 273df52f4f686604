// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.Gate;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.release.Plan;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WindowTimeTest {
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void shouldTimeTheOutputsOfOneSubject() {
    Plan plan =
        Fixture.plan(
            """
            pipeline: test
            version: 1
            input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
            window: { size: 10s, grace: 2s }
            budget: { name: test, unit: record, epsilon: 4, delta: 1e-5, period: lifetime }
            releases:
              - histogram: { name: one, method: laplace, share: { epsilon: 2, delta: 1e-6 }, windows: 9 }
              - histogram: { name: two, share: { epsilon: 2, delta: 1e-6 }, windows: 9 }
            """);
    AtomicLong clock = new AtomicLong();
    WindowTime time =
        WindowTime.of(plan, new Gate(NoiseSecret.random().derive()), () -> clock.getAndAdd(7));
    assertThat(time.subject()).isEqualTo(Duration.ofNanos(14));
    assertThat(time.text()).isEmpty();
  }

  @Test
  void shouldSayHowLongAWindowOfListedSubjectsTakes() {
    assertThat(new WindowTime(Duration.ofMillis(175), 200, DAY).text())
        .hasValue(
            "drawing a window takes about 35 s on one core of this machine (200 subjects, 0.18 s each)");
  }

  @Test
  void shouldSayHowLongASubjectTakesWhereNobodyListsThem() {
    assertThat(new WindowTime(Duration.ofMillis(175), 0, DAY).text())
        .hasValue("drawing a window takes about 0.18 s per subject on one core of this machine");
    assertThat(new WindowTime(Duration.ofMillis(99), 0, DAY).text()).isEmpty();
  }

  @Test
  void shouldWarnWhenAWindowTakesLongerThanItLasts() {
    assertThat(new WindowTime(Duration.ofMillis(500), 1_000, Duration.ofMinutes(5)).text())
        .hasValueSatisfying(
            text -> assertThat(text).contains("8 min").contains("longer than a window"));
  }
}
